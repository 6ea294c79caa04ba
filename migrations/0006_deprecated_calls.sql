-- How often each key has called an operation that is to go away. Processes add their counts every few seconds, never in the
-- course of a call. No foreign key to api_keys: a count must not fail, nor lock, for a key's sake.
create table deprecated_calls (
  api_key_id      text collate "C" not null,
  operation       text collate "C" not null,
  calls           bigint not null,
  first_called_at timestamptz not null,
  last_called_at  timestamptz not null,
  primary key (api_key_id, operation)
);
