-- The key itself is never stored: only the SHA-256 of it.
create table api_keys (
  id           text primary key,
  name         text not null,
  mode         text not null check (mode in ('live', 'test')),
  hash         text not null unique,
  scopes       text[] not null,
  created_at   timestamptz not null default now(),
  expires_at   timestamptz,
  revoked_at   timestamptz,
  last_used_at timestamptz
);
