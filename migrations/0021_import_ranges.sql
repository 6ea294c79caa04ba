-- Which ids the pets of an import have, so that a mirror reads these and not the whole store. Other pets may have ids in between.
alter table events add column id_ranges int8multirange; -- of `pets.imported`; null if an earlier version has stored some of them

-- Those of imports that have not finished, one row for each part that was stored.
create table import_ranges (
  head  text not null,     -- of the import
  ids   int8range not null,
  added bigint not null     -- how many pets of the import are in it
);
create index import_ranges_head on import_ranges (head);
