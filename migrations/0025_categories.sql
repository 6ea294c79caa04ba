-- A category has a name if it has a record. Pets may be of any category: none of them needs a record, so there is no foreign key.
create table categories (
  id      bigint primary key,
  name    text not null,
  version bigint not null default 1 -- one more with every change
);
