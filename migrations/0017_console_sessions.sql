-- Who is signed in to the console. The token itself is never stored: only the SHA-256 of it. No foreign key to api_keys: a session must
-- not lock a key, and no key is ever removed.
create table console_sessions (
  token_sha256 bytea primary key check (octet_length(token_sha256) = 32),
  key_id       text collate "C" not null,
  created_at   timestamptz not null default now(),
  last_seen_at timestamptz not null default now(),          -- written about once a minute
  ends_at      timestamptz not null
) with (fillfactor = 70);                                   -- updated in place

create index console_sessions_key on console_sessions (key_id, created_at);
create index console_sessions_end on console_sessions (ends_at);
