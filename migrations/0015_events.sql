-- Every change of a pet adds one event, in the statement that makes the change: the pet as it is afterwards, under its new version.
-- No foreign key to pets: events outlive their pets.
create table events (
  pet_id      bigint not null,                                -- 0 for an event of the whole store
  version     bigint not null,                                -- of the pet; of the whole store, 1 and one more with each event
  transaction xid8 not null default pg_current_xact_id(),     -- by which the sequencer knows what it has seen
  at          timestamptz not null default clock_timestamp(),
  category_id bigint,
  order_id    bigint,                                         -- that holds the pet, or that this change ended
  added       bigint,                                         -- pets, by an import
  type        text collate "C" not null,
  name        text,
  status      text collate "C",
  changed     text collate "C",                               -- the names of the fields that differ from before, joined by spaces
  key_id      text collate "C",                               -- of the client; null where the service itself acted
  primary key (pet_id, version)
);
create index events_transaction on events (transaction);

-- The feed gives every event its number. The sequencer adds what has been committed since its last page, in pages of up to a
-- thousand events. A page without events takes one number: the first page, and the first after a restore into another cluster.
create table feed_pages (
  first       bigint primary key,                             -- the number of its first event
  pet_ids     bigint[] not null,
  versions    bigint[] not null,
  snapshot    pg_snapshot not null,                           -- all that it shows is in this page or an earlier one
  mark        bigint not null,                                -- random: tells this page from one with the same number before a restore
  mark_before bigint,                                         -- that of the page before
  epoch       bigint not null,                                -- the first number after the last restore into another cluster
  system      bigint not null,                                -- the identifier of the PostgreSQL cluster
  transaction xid8 not null default pg_current_xact_id(),     -- the xmin of this row, unless the row was restored from a dump
  at          timestamptz not null default clock_timestamp(),
  check (cardinality(pet_ids) = cardinality(versions))
);
insert into feed_pages (first, pet_ids, versions, snapshot, mark, epoch, system)
select 0, '{}', '{}', pg_current_snapshot(), floor(random() * 9e15), 0, system_identifier from pg_control_system();

-- Old events are deleted in parts, so vacuum must come by after some of these, however many events there are.
alter table events set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 100000);
alter table feed_pages set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 1000);
