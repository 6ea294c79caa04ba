-- Which pet a create with an Idempotency-Key has made. A row commits together with its pet, so whoever sends the key again
-- gets that pet and no second one. No foreign key to pets: on a sharded PostgreSQL they lie on different nodes.
create table idempotency_keys (
  api_key_id  text collate "C" not null,
  key         text collate "C" not null,
  fingerprint bytea not null,       -- SHA-256 of what the pet was made from: the same key with another pet is a mistake
  pet_id      bigint not null,
  created_at  timestamptz not null default now(),
  primary key (api_key_id, key)
);

-- The oldest are removed in small parts, without a look at the rest.
create index idempotency_keys_created_at on idempotency_keys (created_at);
