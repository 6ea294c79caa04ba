-- Every pet has a version: 1 when it is created, one more with every change. A pet that an order holds names that order.
-- The defaults are constants, so no row is rewritten.
alter table pets
  add column version bigint not null default 1,
  add column held_by bigint, -- the id of the order; its status is `pending` as long as it has one
  -- Not valid: nothing has to be read for it. No row of today is held.
  add constraint pets_held check (held_by is null or status is not distinct from 'pending') not valid;

-- Pets are sold oldest first, so dead entries gather where the first page of a list begins. Vacuum must come by after some
-- thousand changes, however large the table is, and must clean the indexes even where only a small part of them is dead.
alter table pets set (
  autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000, vacuum_index_cleanup = on);

-- Keyed by the pet: an order stays on the shard of its pet. No foreign key to pets: an order outlives its pet.
create table orders (
  pet_id     bigint not null,
  id         bigint not null, -- when it was placed, in milliseconds since 1970, times 2^21, plus a random number below 2^21
  version    bigint not null, -- of the pet, as this order has made it
  status     text collate "C" not null default 'placed' check (status in ('placed', 'completed', 'cancelled', 'expired')),
  expires_at timestamptz not null,
  closed_at  timestamptz,
  reference  text collate "C" check (char_length(reference) between 1 and 255),
  primary key (pet_id, id),
  check ((status = 'placed') = (closed_at is null))
);

-- One index for each way to list orders, newest first, and one for those whose time is up.
create index orders_newest on orders (id, pet_id);
create index orders_status on orders (status, id, pet_id);
create index orders_reference on orders (reference, id, pet_id) where reference is not null;
create index orders_due on orders (expires_at) where status = 'placed';

alter table orders set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000);
