-- no transaction
-- The events of pets whose words have yet to be made: none, except while the previous version serves beside this one.
drop index concurrently if exists events_unworded;
create index concurrently events_unworded on events (pet_id, version) where not worded;
