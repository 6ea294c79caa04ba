-- The last id that was drawn when a page of the feed was added. Pets with higher ids came later, so their events are kept: one without
-- an event was added by a version that records none. Null for pages of before.
alter table feed_pages add column last_pet_id bigint;

-- Which types its events have, a bit for each, by which the newest events of a type are found without reading all others. Written by the
-- sequencer, so that a change of a pet pays nothing for it. Null in pages that an earlier version added: there, each event is read.
alter table feed_pages add column types integer;
