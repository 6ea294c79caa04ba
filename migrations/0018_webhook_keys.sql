-- A webhook delivers as long as the key that changed it last, or one that a rotation has made in its place, is valid. Null in rows of a
-- version that did not store it: these depend on no key until one changes them.
alter table webhooks
  add column created_by    text,
  add column changed_by    text,                           -- at first the key that created it
  add column reason        text collate "C",               -- why the service has paused it; null if a request or a command has
  add column has_succeeded boolean not null default false, -- whether its URL has ever accepted a request: until then, failures are not told apart
  add column creation      bigint;                         -- what idempotency_keys knows it by, if it was created with an Idempotency-Key
