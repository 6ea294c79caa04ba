-- How far each import has come. A row is written in the transaction that adds its pets, so an import that was cut off
-- goes on where it stopped, with no pet lost and none twice.
create table imports (
  head        text primary key, -- SHA-256 of the first 64 KiB: what an input is known by, whatever its name
  name        text,             -- the file's path, as told to people; none where the input has no name
  bytes       bigint not null,  -- how much of the input is done, always up to the end of a line
  sha256      text not null,    -- of those bytes: whoever goes on must bring the same ones
  lines       bigint not null,
  added       bigint not null,
  refused     bigint not null,
  started_at  timestamptz not null default now(),
  updated_at  timestamptz not null default now(),
  finished_at timestamptz,
  version     uuid not null default gen_random_uuid() -- another after each write: whoever writes next must know it
);
