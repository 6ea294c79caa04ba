-- What the service may do with the tables: create, read, change and delete pets, name categories, place and close orders, store
-- idempotency keys, look up keys and record their use, count deprecated calls, keep the sessions of the console. It can neither delete
-- an order, nor change what was ordered, nor create, change or revoke a key, nor change the schema. A process whose role lacks one of
-- these rights is not ready, and says which.
-- Run it as the owner after each `petstore migrate`, before the new version serves, in the live database and in that of the sandbox. In one
-- transaction: the version that is serving must not lose its rights even for a moment.
begin;

revoke all on all tables in schema public from petstore_service, petstore_deliver;
revoke all on all sequences in schema public from petstore_service, petstore_deliver;

grant select on schema_migrations to petstore_service; -- whether it has the schema of its version
grant select on store to petstore_service; -- which store this is
grant select, insert, update (name, category_id, status, version, held_by, worded), delete on pets to petstore_service;
grant usage on sequence pets_id_seq to petstore_service;
grant select on import_ranges to petstore_service; -- which pets have no event yet
grant select, insert, update (name, version), delete on categories to petstore_service;
grant select, insert, update (status, closed_at, closed_by) on orders to petstore_service;
grant select, insert, delete on events, feed_pages to petstore_service; -- those older than EVENTS_RETENTION are removed
grant select, insert, delete on pet_words, stale_names to petstore_service;
grant select, insert, update (reached), delete on word_ranges to petstore_service;
grant usage on sequence word_ranges_id_seq to petstore_service;
grant select, insert, delete on words_versions to petstore_service;
grant select, insert,
  update (name, url, types, state, reason, changed_by, has_succeeded, secret_number, old_secret_ends_at, sequence, mark, moves,
    failing_since, failures, next_attempt_at, retry_at, ping_requested_at, leased_by, leased_until),
  delete on webhooks to petstore_service;
grant select on webhook_attempts to petstore_service;
grant select, insert, delete on idempotency_keys to petstore_service; -- those older than a day are removed
grant select, update (last_used_at) on api_keys to petstore_service;
grant select, insert, update (calls, first_called_at, last_called_at) on deprecated_calls to petstore_service;
grant select, insert, update (last_seen_at), delete on console_sessions to petstore_service; -- those that have ended are removed

-- What `petstore deliver` may do: read events, keep a record of what was delivered to webhooks, and see which keys are valid, but neither
-- their names nor their hashes.
grant select on schema_migrations, store, orders, events, feed_pages to petstore_deliver;
grant select,
  update (state, reason, has_succeeded, sequence, mark, failing_since, failures, next_attempt_at, attempts, ping_requested_at, leased_by,
    leased_until)
  on webhooks to petstore_deliver;
grant select (id, scopes, expires_at, revoked_at, replaced_by) on api_keys to petstore_deliver;
grant select, insert, update (at, event_id, status, error, duration_ms, response_body) on webhook_attempts to petstore_deliver;
grant select, insert, update (seen_at), delete on deliverers to petstore_deliver;

commit;
