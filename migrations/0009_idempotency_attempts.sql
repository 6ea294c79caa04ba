-- Which request has stored a key: a request whose first attempt was stored, but not confirmed, recognises its own pet when it tries
-- again. Null for keys of before.
alter table idempotency_keys add column attempt bigint;
