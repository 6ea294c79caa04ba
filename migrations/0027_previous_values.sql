-- In events of the type pet.updated: the former values of the fields that have changed. Null where a field did not change, in other events,
-- and in events that an earlier version has written. What changes of an order were before follows from their type.
alter table events
  add column previous_name        text,
  add column previous_category_id bigint,
  add column previous_status      text collate "C"; -- 'none' if the pet had no status
