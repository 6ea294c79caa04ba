-- What this database is, in one row. The address of its store is part of the text of its keys, `petk_<address>_…`; a process whose
-- configuration says otherwise does not use this database.
create table store (
  only_row            boolean primary key default true check (only_row),
  address             text    not null,               -- `live`, or `test`: the sandbox
  test_keys_elsewhere boolean not null default false  -- whether the test keys of a live store were moved to a sandbox: no request here has one
);

insert into store (address) values ('live');
