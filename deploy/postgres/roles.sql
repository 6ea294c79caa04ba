-- Three roles: the owner changes the schema and creates keys; the service has only the rights that serving needs; the role of
-- `petstore deliver`, which connects to servers elsewhere, can read neither pets nor keys. Run it once as a superuser, in the database of
-- the service, and in that of the sandbox; it is safe to run again. Set the passwords separately, with `\password`, which sends a hash, so
-- that none appears in a file, in the process list or in a log.
do $$
begin
  if not exists (select from pg_roles where rolname = 'petstore_owner') then
    create role petstore_owner login;
  end if;
  if not exists (select from pg_roles where rolname = 'petstore_service') then
    create role petstore_service login;
  end if;
  if not exists (select from pg_roles where rolname = 'petstore_deliver') then
    create role petstore_deliver login;
  end if;
  -- By default every role may connect and create temporary tables.
  execute format('revoke all on database %I from public', current_database());
  execute format('grant connect on database %I to petstore_owner, petstore_service, petstore_deliver', current_database());
end
$$;

revoke all on schema public from public;
grant usage on schema public to petstore_service, petstore_deliver;
grant usage, create on schema public to petstore_owner;
