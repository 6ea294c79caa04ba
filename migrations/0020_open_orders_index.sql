-- no transaction
-- The open orders of a chain. By `closed_at`, which is null as long as an order is placed: with `status` the planner could choose the
-- index of all orders with that status.
drop index concurrently if exists orders_open;
create index concurrently orders_open on orders (chain_id, id) where closed_at is null;
