-- no transaction
-- Keys from the newest to the oldest. No key is ever removed, so there may be many.
drop index concurrently if exists api_keys_created;
create index concurrently api_keys_created on api_keys (created_at, id);

-- Keys whose clients will be rejected when they expire.
drop index concurrently if exists api_keys_expiry;
create index concurrently api_keys_expiry on api_keys (expires_at) where revoked_at is null and replaced_by is null;
