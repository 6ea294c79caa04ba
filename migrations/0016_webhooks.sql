-- A webhook is a cursor on the feed: the events up to its place have been delivered, and nothing else is kept of them. Its secret is
-- not here: it is derived from its id, the number of the secret and a secret of the service.
create table webhooks (
  id                 text collate "C" primary key,
  url                text not null,
  types              text collate "C",                            -- of the events it receives, joined by spaces; null for all
  state              text collate "C" not null default 'active' check (state in ('active', 'paused', 'disabled')),
  created_at         timestamptz not null default clock_timestamp(),
  secret_number      integer not null default 1,                  -- one more with each rotation
  old_secret_ends_at timestamptz,                                 -- until then the secret before signs too
  sequence           bigint not null,                             -- the number of the last event that was delivered
  mark               bigint not null,                             -- that of its page
  moves              integer not null default 0,                  -- how often a request has set this place
  failing_since      timestamptz,                                 -- of the first failure after the last success
  failures           integer not null default 0,                  -- attempts since then
  next_attempt_at    timestamptz,
  attempts           bigint not null default 0,                   -- all that were ever made
  ping_requested_at  timestamptz,                                 -- until it was sent
  leased_by          uuid,                                        -- the process that delivers; null after a change, which it must notice
  leased_until       timestamptz
) with (fillfactor = 50);                                         -- updated once a second, in place

-- The last hundred attempts of each webhook: a new one takes the place of the oldest.
create table webhook_attempts (
  webhook_id  text collate "C" not null references webhooks on delete cascade,
  place       smallint not null,                                  -- the number of the attempt, modulo 100
  at          timestamptz not null,
  event_id    text collate "C" not null,
  status      smallint,                                           -- of the response; null if there was none
  error       text,
  duration_ms integer not null,
  primary key (webhook_id, place)
) with (fillfactor = 50);

-- The processes that deliver, so that they can share the webhooks evenly.
create table deliverers (
  id      uuid primary key,
  seen_at timestamptz not null
);
