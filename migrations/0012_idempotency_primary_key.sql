-- contract: idempotency_keys.idempotency_keys_pkey, named by no statement since 1.0.0
-- It would keep a second operation from using the same key. The indexes of 0011 take its place; earlier versions use them too.
alter table idempotency_keys drop constraint idempotency_keys_pkey;
