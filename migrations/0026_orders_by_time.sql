-- no transaction
-- Orders that ended in one way, by when they did. Orders that are placed are not in it, so placing one pays nothing.
drop index concurrently if exists orders_closed;
create index concurrently orders_closed on orders (status, closed_at, id, pet_id) where closed_at is not null;

-- Open orders by when they expire, those of one moment by id, so that a page has a place to begin after. Expiry, also that of the version
-- before, reads it like orders_due, which it replaces.
drop index concurrently if exists orders_expiring;
create index concurrently orders_expiring on orders (expires_at, id, pet_id) where status = 'placed';
drop index concurrently if exists orders_due;
