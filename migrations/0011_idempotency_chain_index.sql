-- no transaction
-- One row for each chain, operation and key. `key` is the first column, because earlier versions look keys up by (api_key_id, key).
drop index concurrently if exists idempotency_keys_chain;
create unique index concurrently idempotency_keys_chain on idempotency_keys (key, (coalesce(chain_id, api_key_id)), operation);

-- The successor of a rotated key: an earlier version stores it without its chain, and the two must still conflict. Rows of the first
-- key of a chain are not in this index, and most keys are the first.
drop index concurrently if exists idempotency_keys_successor;
create unique index concurrently idempotency_keys_successor on idempotency_keys (key, api_key_id, operation)
  where chain_id is distinct from api_key_id;
