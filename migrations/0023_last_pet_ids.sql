-- The last id that was drawn when a page of the feed was added. Pets with higher ids came later, so their events are kept: one without
-- an event was added by a version that records none. Null for pages of before.
alter table feed_pages add column last_pet_id bigint;
