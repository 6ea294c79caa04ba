-- The words by which pets are found, as src/lib/words.ts makes them. More than the words of a pet do no harm: its name decides.
create table pet_words (
  word   text collate "C" not null,
  pet_id bigint not null,
  primary key (word, pet_id)
);

-- Names that pets have had, whose words have yet to be removed.
create table stale_names (
  pet_id bigint not null,
  name   text not null
);

-- Ids of pets whose words have yet to be made.
create sequence word_ranges_id_seq;
create table word_ranges (
  id       bigint primary key default nextval('word_ranges_id_seq'),
  first_id bigint not null,
  last_id  bigint not null,
  reached  bigint not null                                    -- words of pets up to this id are made
);

-- By which rules words have been made, see WORDS_VERSION.
create table words_versions (version integer primary key);
insert into words_versions values (1);

-- Whether the words of the pet were written with the event. Events of before count as done: the range below has their pets. The
-- previous version does not know the column and writes the default.
alter table events add column worded boolean not null default true;
alter table events alter column worded set default false;

-- After `alter table`, which has waited for all creates that know nothing of the column.
insert into word_ranges (first_id, last_id, reached)
select 1, last, 0 from pg_sequence_last_value('pets_id_seq') as last where last is not null;
