-- An idempotency key belongs to a rotation chain and to an operation: a retry with the successor of a rotated API key finds its pet,
-- and two operations may use the same key. A version says what the fingerprint was made from, so that later versions can differ.
-- Rows of earlier versions of the service have no chain_id; their api_key_id takes its place.
alter table idempotency_keys
  add column chain_id            text collate "C",                               -- the first API key of the chain
  add column operation           text collate "C" not null default 'createPet', -- its operationId
  add column fingerprint_version smallint not null default 1;
