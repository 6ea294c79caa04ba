-- The words by which pets are found, as src/lib/words.ts makes them. An entry too many does no harm: the name of the pet decides.
create table pet_words (
  word   text collate "C" not null,
  pet_id bigint not null,
  primary key (word, pet_id)
);

-- Names that pets have had, whose words are still to be removed.
create table stale_names (
  pet_id bigint not null,
  name   text not null
);

-- Ids of pets whose words are still to be made.
create sequence word_ranges_id_seq;
create table word_ranges (
  id       bigint primary key default nextval('word_ranges_id_seq'),
  last_id  bigint not null,
  reached  bigint not null                                    -- up to this id they are made
);

-- By which rules the words were made: WORDS_VERSION of each version that has served.
create table words_versions (version integer primary key);
insert into words_versions values (1);

-- Whether the words of a pet were written with it, or are in a range. Those of before are in the range below. A version that knows no
-- words writes the default.
alter table pets add column worded boolean not null default true;
alter table pets alter column worded set default false;

-- After `alter table`, which waits for all creates: later ones do not write true.
insert into word_ranges (last_id, reached)
select last, 0 from pg_sequence_last_value('pets_id_seq') as last where last is not null;
