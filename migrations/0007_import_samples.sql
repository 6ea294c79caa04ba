-- A sample of the lines that an import has stored: the smallest hashes of them, 256 at most. A file that holds the same lines
-- can be rejected before any of them is stored twice, whatever its name and however it begins. Empty for imports of before.
alter table imports add column line_hashes bigint[] not null default '{}';
