-- The types of its events, in their order, by which the newest events of a type are found without reading the others. Written by the
-- sequencer, so that a change of a pet pays nothing for it. Null in pages that an earlier version added: there, each event is read.
alter table feed_pages add column types text[] collate "C";
