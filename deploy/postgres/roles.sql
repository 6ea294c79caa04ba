-- Two roles: the owner changes the schema and hands out keys, the service can do only what serving takes. Run it once as a
-- superuser, in the database of the service; it may be run again. Passwords are set by themselves, with `\password`, which
-- sends a hash, so that none stands in a file, in a list of processes or in a log.
do $$
begin
  if not exists (select from pg_roles where rolname = 'petstore_owner') then
    create role petstore_owner login;
  end if;
  if not exists (select from pg_roles where rolname = 'petstore_service') then
    create role petstore_service login;
  end if;
  -- Nobody else comes in. By default everybody may connect, and make temporary tables.
  execute format('revoke all on database %I from public', current_database());
  execute format('grant connect on database %I to petstore_owner, petstore_service', current_database());
end
$$;

revoke all on schema public from public;
grant usage on schema public to petstore_service;
grant usage, create on schema public to petstore_owner;
