-- A rotated key and its successors share one quota: each knows the first key of their chain. Null: it is the first itself.
alter table api_keys add column first_id text;
