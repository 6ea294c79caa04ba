alter table webhooks
  add column name     text,        -- null if it has none
  add column retry_at timestamptz; -- for when a request last wanted the delivery that waits to be tried; null if none has

-- How the response to an attempt that failed begins, of the last twenty attempts: at most 1,024 bytes of it, as text.
alter table webhook_attempts add column response_body text;
