-- no transaction
-- Pages of one category, with any status or none. An expression, since a row comparison with NULL would find nothing.
drop index concurrently if exists pets_category;
create index concurrently pets_category on pets (category_id, (coalesce(status, '')), id);
