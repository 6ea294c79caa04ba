-- no transaction
-- The pets whose words have yet to be made: none, unless a version without words has added some.
drop index concurrently if exists pets_unworded;
create index concurrently pets_unworded on pets (id) where not worded;
