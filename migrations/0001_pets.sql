-- Ids come from a sequence of their own, not from identity: it survives the move to a sharded PostgreSQL.
-- They stay below 2^53, so that a client that reads JSON numbers as doubles still reads them right.
create sequence pets_id_seq as bigint minvalue 1 maxvalue 9007199254740991;

create table pets (
  id          bigint primary key default nextval('pets_id_seq') check (id between 1 and 9007199254740991),
  category_id bigint not null,
  name        text not null check (char_length(name) between 1 and 255),
  status      text check (status in ('available', 'pending', 'sold'))
);

alter sequence pets_id_seq owned by pets.id;

-- One partial index for each status: a page of a rare status is read as cheaply as one of a common status,
-- and together they take less room than one index on (status, id).
create index pets_available on pets (id) where status = 'available';
create index pets_pending on pets (id) where status = 'pending';
create index pets_sold on pets (id) where status = 'sold';
