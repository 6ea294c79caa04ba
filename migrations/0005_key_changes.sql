-- A key gets a limit of its own, and knows by which one it was replaced. Every change of a key is noted, and by whom.

alter table api_keys
  add column rate_quota          integer, -- so many calls …
  add column rate_window_seconds integer, -- … in each window of so many seconds; both, or none
  add column replaced_by         text,    -- the key that a rotation has made in its place; no key is ever removed
  -- Not valid: nothing has to be read for it. No row of today has a limit.
  add constraint api_keys_rate_limit check (
    (rate_quota is null) = (rate_window_seconds is null) and rate_quota > 0 and rate_window_seconds > 0) not valid;

create sequence key_changes_id_seq as bigint;

create table key_changes (
  id         bigint primary key default nextval('key_changes_id_seq'),
  key_id     text collate "C" not null,
  changed_at timestamptz not null default now(),
  what       text not null check (what in ('created', 'rotated', 'revoked', 'expiry', 'limit')),
  detail     text not null check (char_length(detail) <= 500), -- the new value, for people
  who        text not null check (char_length(who) between 1 and 255) -- user@host where the command ran
);

alter sequence key_changes_id_seq owned by key_changes.id;

create index key_changes_key on key_changes (key_id, id);
