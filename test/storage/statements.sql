-- Written by: WRITE_STATEMENTS=1 npm test -- test/storage/statements.test.ts

-- categories.find
select string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(version::text, ''), ',') as "version" from categories where id = any($1::bigint[]);

-- categories.list
select categories.*
from unnest($1::bigint[], $2::int[]) with ordinality as page (first, count, position),
lateral (
  select string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(version::text, ''), ',') as "version"
  from (select * from categories where id >= page.first order by id limit page.count) as categories) as categories
order by page.position;

-- categories.put
with input as materialized (select $1::bigint as id, $2::text as name, $3::text as matches),
old as materialized (
  select id, name, version from categories where id = $1 for no key update skip locked),
decided as materialized (
  select input.*, old.version,
         case
           when old.id is null and exists (select from categories where id = $1) then 'busy'
           when old.id is null and matches <> 'none' then 'missing'
           when old.id is null then 'added'
           when matches <> '*' and version::text <> all (string_to_array(matches, ',')) then 'mismatch'
           when old.name = input.name then 'unchanged'
           else 'changed'
         end as outcome
  from input left join old on true),
added as (
  insert into categories (id, name) select id, name from decided where outcome = 'added'
  on conflict (id) do nothing returning version),
changed as (
  update categories set name = decided.name, version = decided.version + 1
  from decided where categories.id = decided.id and outcome = 'changed' returning categories.version)
select outcome, coalesce(added.version, changed.version, decided.version) as version
from decided left join added on true left join changed on true
where outcome <> 'added' or added.version is not null;

-- categories.putAll
with put as (
  insert into categories (id, name) select * from unnest($1::bigint[], $2::text[]) order by 1 -- so that no two wait for each other
  on conflict (id) do update set name = excluded.name, version = categories.version + 1
  where categories.name <> excluded.name
  returning version)
select count(*) filter (where version = 1)::float8 as added, count(*) filter (where version > 1)::float8 as changed
from put;

-- categories.remove
with old as materialized (
  select id, version from categories where id = $1 for update skip locked),
decided as materialized (
  select old.id, old.version,
         case
           when old.id is null and exists (select from categories where id = $1) then 'busy'
           when old.id is null then 'missing'
           when matches <> '*' and version::text <> all (string_to_array(matches, ',')) then 'mismatch'
           else 'deleted'
         end as outcome
  from (select $2::text as matches) as input left join old on true),
deleted as (delete from categories using decided where categories.id = decided.id and outcome = 'deleted')
select outcome, version from decided;

-- deprecatedCalls.add
insert into deprecated_calls as known (api_key_id, operation, calls, first_called_at, last_called_at)
select * from unnest($1::text[], $2::text[], $3::bigint[], $4::timestamptz[], $5::timestamptz[])
  as new (api_key_id, operation, calls, first_called_at, last_called_at)
order by api_key_id, operation
on conflict (api_key_id, operation) do update set
  calls = known.calls + excluded.calls,
  first_called_at = least(known.first_called_at, excluded.first_called_at),
  last_called_at = greatest(known.last_called_at, excluded.last_called_at);

-- deprecatedCalls.find
select api_key_id as "keyId", operation, calls, first_called_at as "firstCalledAt", last_called_at as "lastCalledAt"
from deprecated_calls where api_key_id = any($1::text[]) order by operation;

-- events.history.newest
select page.*
from unnest($1::bigint[], $2::bigint[], $3::int[]) with ordinality as input (pet_id, after, count, position),
lateral (
  select string_agg(coalesce((sequence)::text, ''), ',') as "sequence", string_agg(coalesce(pet_id::text, ''), ',') as "petId", string_agg(coalesce(version::text, ''), ',') as "version", string_agg(coalesce((extract(epoch from at) * 1000000)::bigint::text, ''), ',') as "at", string_agg(coalesce(type, ''), ',') as "type", json_agg(name) as "name", string_agg(coalesce((category_id)::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status", string_agg(coalesce((order_id)::text, ''), ',') as "orderId", string_agg(coalesce(changed, ''), ',') as "changed", json_agg(previous_name) as "previousName", string_agg(coalesce((previous_category_id)::text, ''), ',') as "previousCategoryId", string_agg(coalesce(previous_status, ''), ',') as "previousStatus", string_agg(coalesce(key_id, ''), ',') as "keyId", string_agg(coalesce((added)::text, ''), ',') as "added", json_agg(id_ranges::text) as "idRanges", string_agg(coalesce((floor(extract(epoch from expires_at) * 1000)::bigint)::text, ''), ',') as "expiresAt", string_agg(coalesce((floor(extract(epoch from closed_at) * 1000)::bigint)::text, ''), ',') as "closedAt", json_agg(reference) as "reference", string_agg(coalesce(placed_by, ''), ',') as "placedBy", min(version) as last
  from (
    select null::bigint as sequence, events.*, orders.*
    from (
      select * from events where pet_id = input.pet_id and version < input.after and pet_id > 0
      order by pet_id desc, version desc limit input.count) as events
    left join lateral (
      select expires_at, closed_at, reference, placed_by from orders
      where orders.pet_id = events.pet_id and orders.id = events.order_id and type like 'order.%' limit 1) as orders on true
    order by version desc) as events) as page
order by input.position;

-- events.history.oldest
select page.*
from unnest($1::bigint[], $2::bigint[], $3::int[]) with ordinality as input (pet_id, after, count, position),
lateral (
  select string_agg(coalesce((sequence)::text, ''), ',') as "sequence", string_agg(coalesce(pet_id::text, ''), ',') as "petId", string_agg(coalesce(version::text, ''), ',') as "version", string_agg(coalesce((extract(epoch from at) * 1000000)::bigint::text, ''), ',') as "at", string_agg(coalesce(type, ''), ',') as "type", json_agg(name) as "name", string_agg(coalesce((category_id)::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status", string_agg(coalesce((order_id)::text, ''), ',') as "orderId", string_agg(coalesce(changed, ''), ',') as "changed", json_agg(previous_name) as "previousName", string_agg(coalesce((previous_category_id)::text, ''), ',') as "previousCategoryId", string_agg(coalesce(previous_status, ''), ',') as "previousStatus", string_agg(coalesce(key_id, ''), ',') as "keyId", string_agg(coalesce((added)::text, ''), ',') as "added", json_agg(id_ranges::text) as "idRanges", string_agg(coalesce((floor(extract(epoch from expires_at) * 1000)::bigint)::text, ''), ',') as "expiresAt", string_agg(coalesce((floor(extract(epoch from closed_at) * 1000)::bigint)::text, ''), ',') as "closedAt", json_agg(reference) as "reference", string_agg(coalesce(placed_by, ''), ',') as "placedBy", max(version) as last
  from (
    select null::bigint as sequence, events.*, orders.*
    from (
      select * from events where pet_id = input.pet_id and version > input.after and pet_id > 0
      order by pet_id asc, version asc limit input.count) as events
    left join lateral (
      select expires_at, closed_at, reference, placed_by from orders
      where orders.pet_id = events.pet_id and orders.id = events.order_id and type like 'order.%' limit 1) as orders on true
    order by version asc) as events) as page
order by input.position;

-- events.list
select is_valid as "isValid", is_key_known as "isKeyKnown", page.*, (select mark from feed_pages where first <= page.reached order by first desc limit 1) as mark
from unnest($1::bigint[], $2::bigint[], $3::int[], $4::int[], $5::text[], $8::bigint[], $9::text[])
  with ordinality as input (sequence, mark, count, most, types, since, key_id, position),
lateral (select case when since is not null then (
    with recursive search (low, high) as (
      select (select first from feed_pages where first >= $7 order by first limit 1), $6::bigint + 1
      union all
      select case when is_before then least(next, high) else low end, case when is_before then high else first end
      from search,
      lateral (
        select first, first + greatest(cardinality(pet_ids), 1) as next, at < timestamptz 'epoch' + since * interval '1 millisecond' as is_before
        from feed_pages where first <= (low + high) / 2 order by first desc limit 1) as page
      where low < high)
    select coalesce((
      select first + place - 2
      from feed_pages, unnest(pet_ids, versions) with ordinality as numbered (pet_id, version, place),
      lateral (
        select at from events
        where pet_id = numbered.pet_id and version = numbered.version and events.at >= timestamptz 'epoch' + since * interval '1 millisecond' limit 1) as event
      where first >= low and first < low + 1000 and first <= $6
      order by first, place limit 1), least(low + 999, $6))
    from search where low >= high) end as before offset 0) as moment,
lateral (
  select coalesce(input.sequence, moment.before, (
    select case when cardinality(pet_ids) = 0 then first else first - 1 end
    from feed_pages where first >= $7 order by first limit 1)) as after) as start,
lateral (select least(after + most, $6::bigint) as last) as range,
lateral (
  select input.sequence is null or after <= $6 and input.mark = coalesce(
    (select mark from feed_pages where first <= after and first >= $7::bigint order by first desc limit 1),
    (select mark_before from feed_pages where first = after + 1 and first >= $7::bigint)) as is_valid,
         coalesce((select true from api_keys where id = input.key_id limit 1), input.key_id is null) as is_key_known) as cursor,
lateral (
  select string_agg(coalesce((sequence)::text, ''), ',') as "sequence", string_agg(coalesce(pet_id::text, ''), ',') as "petId", string_agg(coalesce(version::text, ''), ',') as "version", string_agg(coalesce((extract(epoch from at) * 1000000)::bigint::text, ''), ',') as "at", string_agg(coalesce(type, ''), ',') as "type", json_agg(name) as "name", string_agg(coalesce((category_id)::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status", string_agg(coalesce((order_id)::text, ''), ',') as "orderId", string_agg(coalesce(changed, ''), ',') as "changed", json_agg(previous_name) as "previousName", string_agg(coalesce((previous_category_id)::text, ''), ',') as "previousCategoryId", string_agg(coalesce(previous_status, ''), ',') as "previousStatus", string_agg(coalesce(key_id, ''), ',') as "keyId", string_agg(coalesce((added)::text, ''), ',') as "added", json_agg(id_ranges::text) as "idRanges", string_agg(coalesce((floor(extract(epoch from expires_at) * 1000)::bigint)::text, ''), ',') as "expiresAt", string_agg(coalesce((floor(extract(epoch from closed_at) * 1000)::bigint)::text, ''), ',') as "closedAt", json_agg(reference) as "reference", string_agg(coalesce(placed_by, ''), ',') as "placedBy", string_agg(coalesce(page_mark::text, ''), ',') as "pageTokens", case when count(*) = input.count then max(sequence) else greatest(last, after) end as reached
  from (
    select sequence, page_mark, events.*, orders.*
    from (
      select first + lower + place - 2 as sequence, feed_pages.mark as page_mark, pet_id, version
      from feed_pages,
      lateral (select greatest(1, after - first + 2)::int as lower, (last - first + 1)::int as upper) as bounds,
      lateral unnest(pet_ids[lower:upper], versions[lower:upper]) with ordinality as events (pet_id, version, place)
      where is_valid and is_key_known and first <= last
        and first >= (select coalesce(max(first), 0) from feed_pages where first <= after + 1)) as numbered,
    lateral (
      select * from events where pet_id = numbered.pet_id and version = numbered.version limit 1) as events
    left join lateral (
      select expires_at, closed_at, reference, placed_by from orders
      where orders.pet_id = events.pet_id and orders.id = events.order_id and type like 'order.%' limit 1) as orders on true
    where (input.types is null or type = any (string_to_array(input.types, ' '))) and (input.key_id is null or events.key_id = input.key_id)
    order by sequence limit input.count) as events) as page
order by input.position;

-- events.newest
select is_valid as "isValid", is_key_known as "isKeyKnown", page.*, case when page.reached > oldest then (select mark from feed_pages where first <= page.reached order by first desc limit 1) end as mark
from (
  select case when cardinality(pet_ids) = 0 then first + 1 else first end as oldest
  from feed_pages where first >= $7 order by first limit 1) as kept,
unnest($1::bigint[], $2::bigint[], $3::int[], $4::int[], $5::text[], $8::int[], $9::text[])
  with ordinality as input (sequence, mark, count, most, types, bits, key_id, position),
lateral (
  select coalesce(input.sequence, $6::bigint + 1) as before, string_to_array(input.types, ' ') as wanted offset 0) as start,
lateral (select greatest(before - most, oldest) as lowest) as range,
lateral (
  select input.sequence is null or before <= $6 and before >= $7::bigint
    and (before < oldest or input.mark = (select mark from feed_pages where first <= before and first >= $7 order by first desc limit 1)) as is_valid,
         coalesce((select true from api_keys where id = input.key_id limit 1), input.key_id is null) as is_key_known) as cursor,
lateral (
  select string_agg(coalesce((sequence)::text, ''), ',') as "sequence", string_agg(coalesce(pet_id::text, ''), ',') as "petId", string_agg(coalesce(version::text, ''), ',') as "version", string_agg(coalesce((extract(epoch from at) * 1000000)::bigint::text, ''), ',') as "at", string_agg(coalesce(type, ''), ',') as "type", json_agg(name) as "name", string_agg(coalesce((category_id)::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status", string_agg(coalesce((order_id)::text, ''), ',') as "orderId", string_agg(coalesce(changed, ''), ',') as "changed", json_agg(previous_name) as "previousName", string_agg(coalesce((previous_category_id)::text, ''), ',') as "previousCategoryId", string_agg(coalesce(previous_status, ''), ',') as "previousStatus", string_agg(coalesce(key_id, ''), ',') as "keyId", string_agg(coalesce((added)::text, ''), ',') as "added", json_agg(id_ranges::text) as "idRanges", string_agg(coalesce((floor(extract(epoch from expires_at) * 1000)::bigint)::text, ''), ',') as "expiresAt", string_agg(coalesce((floor(extract(epoch from closed_at) * 1000)::bigint)::text, ''), ',') as "closedAt", json_agg(reference) as "reference", string_agg(coalesce(placed_by, ''), ',') as "placedBy", case when count(*) = input.count then min(sequence) else lowest end as reached
  from (
    select events.*, orders.*
    from (
      select first + lower + place - 2 as sequence, event.*
      from (
        select first, lower, place, pet_id, version
        from feed_pages,
        lateral (select greatest(1, lowest - first + 1)::int as lower, (before - first)::int as upper) as bounds,
        lateral unnest(pet_ids[lower:upper], versions[lower:upper]) with ordinality as numbered (pet_id, version, place)
        where is_valid and is_key_known and first < before
          and first >= (select coalesce(max(first), 0) from feed_pages where first <= lowest)
          and (bits is null or feed_pages.types is null or feed_pages.types & bits <> 0)
        order by first desc, place desc limit most) as numbered,
      lateral (
        select * from events
        where pet_id = numbered.pet_id and version = numbered.version and (wanted is null or type = any (wanted)) and (input.key_id is null or events.key_id = input.key_id) limit 1) as event
      order by first desc, place desc limit input.count) as events
    left join lateral (
      select expires_at, closed_at, reference, placed_by from orders
      where orders.pet_id = events.pet_id and orders.id = events.order_id and type like 'order.%' limit 1) as orders on true
    order by sequence desc) as events) as page
order by input.position;

-- events.oldest
select case when cardinality(pet_ids) = 0 then first else first - 1 end as sequence,
       case when cardinality(pet_ids) = 0 then mark else mark_before end as mark
from feed_pages where first >= $1 order by first limit 1;

-- events.prune
with oldest as materialized (
  select first, pet_ids, versions
  from (
    select *, bool_and(at < now() - $1 * interval '1 millisecond') over (order by first) as is_old
    from (
      select * from feed_pages
      where first < (select max(first) from feed_pages) and first <= (select min(first) + $3 from feed_pages)
      order by first limit $2) as candidates) as pages
  where is_old),
pages as (delete from feed_pages where first = any (array(select first from oldest)) returning first),
gone as (
  delete from events where ctid = any (array(
    select old.ctid
    from (
      select pet.id, max(pet.version) as version
      from oldest, unnest(pet_ids, versions) as pet (id, version) group by pet.id) as pet,
    lateral (
      select events.ctid from events where pet_id = pet.id and events.version <= pet.version offset 0) as old)))
select count(*)::int as pages from pages;

-- events.sequence
with
last as materialized (
  select first + greatest(cardinality(pet_ids), 1) as next, snapshot, mark, epoch, system, transaction, xmin as row_transaction, last_pet_id
  from feed_pages order by first desc limit 1),
found as materialized (
  select pet_id, version, at, case type when 'pet.created' then 1 when 'pet.updated' then 2 when 'pet.deleted' then 4 when 'order.placed' then 8 when 'order.completed' then 16 when 'order.cancelled' then 32 when 'order.expired' then 64 when 'pets.imported' then 128 else -1 end as type_bit from events
  where transaction >= (select pg_snapshot_xmax(snapshot) from last)
    and transaction < pg_snapshot_xmax(pg_current_snapshot()) and age(events.xmin) between 0 and age(transaction::xid)
  union all
  select pet_id, version, at, case type when 'pet.created' then 1 when 'pet.updated' then 2 when 'pet.deleted' then 4 when 'order.placed' then 8 when 'order.completed' then 16 when 'order.cancelled' then 32 when 'order.expired' then 64 when 'pets.imported' then 128 else -1 end as type_bit from events
  where transaction = any (array(select pg_snapshot_xip(snapshot) from last)) and age(events.xmin) between 0 and age(transaction::xid)),
ordered as (
  select pet_id, version, type_bit, row_number() over (order by reached, pet_id, version) - 1 as place
  from (select *, max(at) over (partition by pet_id order by version) as reached from found) as by_pet),
pages as (
  select place / 1000 as page, floor(random() * 9e15)::bigint as mark,
         array_agg(pet_id order by place) as pet_ids, array_agg(version order by place) as versions,
         bit_or(type_bit) as types
  from ordered group by place / 1000),
added as (
  insert into feed_pages (first, pet_ids, versions, types, snapshot, mark, mark_before, epoch, system, last_pet_id)
  select next + page * 1000, pet_ids, versions, types, pg_current_snapshot(), pages.mark,
         lag(pages.mark, 1, last.mark) over (order by page), epoch, system, coalesce(pg_sequence_last_value('pets_id_seq'), 0)
  from pages, last
  returning *)
select (select count(*)::int from found) as events, pg_notify('petstore_feed', concat_ws(' ', first + greatest(cardinality(pet_ids), 1) - 1, mark, epoch))
from added order by first desc limit 1;

-- events.since
select sequence, coalesce(
    (select mark from feed_pages where first <= sequence and first >= $3::bigint order by first desc limit 1),
    (select mark_before from feed_pages where first = sequence + 1 and first >= $3::bigint)) as mark
from (select (
    with recursive search (low, high) as (
      select (select first from feed_pages where first >= $3::bigint order by first limit 1), $2::bigint::bigint + 1
      union all
      select case when is_before then least(next, high) else low end, case when is_before then high else first end
      from search,
      lateral (
        select first, first + greatest(cardinality(pet_ids), 1) as next, at < timestamptz 'epoch' + $1::bigint * interval '1 millisecond' as is_before
        from feed_pages where first <= (low + high) / 2 order by first desc limit 1) as page
      where low < high)
    select coalesce((
      select first + place - 2
      from feed_pages, unnest(pet_ids, versions) with ordinality as numbered (pet_id, version, place),
      lateral (
        select at from events
        where pet_id = numbered.pet_id and version = numbered.version and events.at >= timestamptz 'epoch' + $1::bigint * interval '1 millisecond' limit 1) as event
      where first >= low and first < low + 1000 and first <= $2::bigint
      order by first, place limit 1), least(low + 999, $2::bigint))
    from search where low >= high) as sequence offset 0) as place;

-- idempotency.readKeys
select pet_id as id, stored.api_key_id as "keyId", encode(fingerprint, 'hex') as fingerprint, fingerprint_version as version,
       stored.attempt = new.attempt as "isOwn"
from unnest($1::text[], $2::text[], $3::text[], $4::bigint[])
  with ordinality as new (api_key_id, chain_id, key, attempt, position)
left join lateral (
  select * from (
    select 1 as place, pet_id, api_key_id, fingerprint, fingerprint_version, attempt from idempotency_keys
    where key = new.key and operation = $5 and api_key_id = new.api_key_id and chain_id is distinct from api_key_id
    union all
    select 2 as place, pet_id, api_key_id, fingerprint, fingerprint_version, attempt from idempotency_keys
    where key = new.key and operation = $5 and coalesce(chain_id, api_key_id) = new.chain_id) as found
  order by place limit 1) as stored on true
order by position;

-- imports.addRange
insert into import_ranges (head, ids, added) values ($1, int8range($2, $3, '[]'), $4);

-- imports.advance
update imports
set name = $2, bytes = $3, sha256 = $4, lines = $5, added = $6, refused = $7,
    version = gen_random_uuid(), updated_at = now(), finished_at = case when $8::boolean then now() end,
    started_at = case when finished_at is null then started_at else now() end
where head = $1 and version = $9
returning version;

-- imports.begin
insert into imports (head, name, bytes, sha256, lines, added, refused, finished_at)
values ($1, $2, $3, $4, $5, $6, $7, case when $8::boolean then now() end)
on conflict (head) do nothing
returning version;

-- keyPruner.last
select created_at::text as at from idempotency_keys
where created_at < now() - interval '24 hours' order by created_at offset $1 - 1 limit 1;

-- keyPruner.prune
delete from idempotency_keys
where created_at < now() - interval '24 hours' and created_at <= coalesce($1::timestamptz, 'infinity');

-- keyedOrders.store
with input as materialized (
  select (((floor(extract(epoch from clock_timestamp()) * 1000)::bigint << 21) + floor(random() * 2097152)::bigint) & -256) + (position & 255) as id, pet, expires_in, reference, most_open,
         api_key_id, chain_id, key, attempt, fingerprint, fingerprint_version, position,
         pg_try_advisory_xact_lock(hashtextextended(key, hashtextextended(chain_id, 0))) as is_free
  from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bytea[], $6::smallint[],
              $7::bigint[], $8::bigint[], $9::text[], $10::bigint[])
    with ordinality as new (api_key_id, chain_id, key, attempt, fingerprint, fingerprint_version,
                            pet, expires_in, reference, most_open, position)),
limits as (select chain_id, max(most_open) as most from input where most_open is not null group by chain_id),
chains as materialized (
  select chain_id, most - (
    select count(*) from (
      select from orders where closed_at is null and (orders.chain_id, orders.id) >= (limits.chain_id, 0) and (orders.chain_id, orders.id) <= (limits.chain_id, 9223372036854775807)
      order by orders.chain_id, orders.id limit most) as open) as room
  from limits),
wanted as materialized (
  select id, pet, chain_id, is_free, position, case when most_open is null then 256 else room end as room
  from input left join chains using (chain_id)),
locked as materialized (
  select id as pet, version from pets
  where id = any (array(select pet from wanted where room > 0)) and status = 'available'
  order by id for no key update skip locked),
candidates as (
  select id
  from (
    select id, room, row_number() over (partition by chain_id order by position) as place
    from (
      select distinct on (pet) * from wanted join locked using (pet)
      where is_free and room > 0 order by pet, position) as first_of_pet) as ranked
  where place <= room),
stored_keys as (
  insert into idempotency_keys
    (api_key_id, chain_id, operation, key, attempt, fingerprint, fingerprint_version, pet_id)
  select api_key_id, chain_id, 'placeOrder', key, attempt, fingerprint, fingerprint_version, id
  from input where id in (select id from candidates) order by api_key_id, key, position
  on conflict do nothing returning pet_id),
winners as (
  select id, pet, expires_in, reference, api_key_id, chain_id from input join stored_keys on pet_id = id),
inserted as (
  insert into orders (pet_id, id, version, expires_at, reference, placed_by, chain_id)
  select pet, id, version + 1,
         timestamptz 'epoch' + ((id >> 21) + expires_in * 1000) * interval '1 millisecond', reference,
         api_key_id, chain_id
  from winners join locked using (pet)
  returning pet_id, id, version),
held as (
  update pets set status = 'pending', held_by = inserted.id, version = inserted.version
  from inserted where pets.id = inserted.pet_id
  returning pets.id, pets.version, name, category_id, pets.status, inserted.id as order_id),
recorded as (
  insert into events (pet_id, version, type, name, category_id, status, order_id, changed, key_id)
  select held.id, version, 'order.placed', name, category_id, status, order_id, 'status', api_key_id
  from held join winners on winners.id = order_id),
outcomes as (
  select wanted.id, wanted.position,
         case when winners.id = wanted.id then 's' when is_free then 'n' else 'l' end as key,
         case when winners.pet is not null then 'held'
              when locked.pet is not null or seen.status = 'available' then case when room <= 0 then 'full' else 'busy' end
              when seen.id is null then 'missing'
              when seen.held_by is not null then 'held'
              else coalesce(seen.status, 'none') end as rejection
  from wanted left join locked using (pet)
  left join lateral (
    select id, status, held_by from pets where pets.id = wanted.pet and locked.pet is null limit 1) as seen on true
  left join winners using (pet))
select string_agg(id::text, ',' order by position) as ids, string_agg(key, '' order by position) as keys,
       string_agg(rejection, ',' order by position) as rejections
from outcomes;

-- keyedPets.store
with input as materialized (
  select nextval('pets_id_seq') as id, name, category_id, status, words,
         api_key_id, chain_id, key, attempt, fingerprint, fingerprint_version, position,
         pg_try_advisory_xact_lock(hashtextextended(key, hashtextextended(chain_id, 0))) as is_free
  from unnest($1::text[], $2::text[], $3::text[], $4::bigint[], $5::bytea[], $6::smallint[],
              $7::text[], $8::bigint[], $9::text[], $10::text[])
    with ordinality as new (api_key_id, chain_id, key, attempt, fingerprint, fingerprint_version,
                            name, category_id, status, words, position)),
stored_keys as (
  insert into idempotency_keys
    (api_key_id, chain_id, operation, key, attempt, fingerprint, fingerprint_version, pet_id)
  select api_key_id, chain_id, 'createPet', key, attempt, fingerprint, fingerprint_version, id
  from input where is_free order by api_key_id, key, position
  on conflict do nothing returning pet_id),
new_pets as (select id, name, category_id, status, words, api_key_id from input join stored_keys on pet_id = id),
inserted as (
  insert into pets (id, name, category_id, status, worded) select id, name, category_id, status, true from new_pets),
recorded as (
  insert into events (pet_id, version, type, name, category_id, status, key_id)
  select id, 1, 'pet.created', name, category_id, status, api_key_id from new_pets),
worded as (insert into pet_words (word, pet_id) select word, id from new_pets, unnest(string_to_array(words, e'\n')) as word)
select string_agg(id::text, ',' order by position) as ids,
       string_agg(
         case when pet_id is not null then 's' when is_free then 'n' else 'l' end,
         '' order by position) as keys
from input left join stored_keys on pet_id = id;

-- keys.expiring
select count(*)::int as count from api_keys
where revoked_at is null and replaced_by is null
  and expires_at > now() and expires_at < now() + make_interval(secs => $1)
  and expires_at - created_at > make_interval(secs => $1);

-- keys.expiry
    with changed as (
      update api_keys set expires_at = $4 where id = $1 and revoked_at is null and (expires_at is null or expires_at > now())
  and expires_at is distinct from $4 returning id, name, mode, scopes, created_at as "createdAt", expires_at as "expiresAt",
revoked_at as "revokedAt", last_used_at as "lastUsedAt", replaced_by as "replacedBy",
coalesce(first_id, id) as "firstId", open_orders as "openOrders",
case when rate_quota is not null
  then json_build_object('quota', rate_quota, 'windowSeconds', rate_window_seconds) end as "rateLimit"),
    noted as (
      insert into key_changes (key_id, what, detail, who) select id, 'expiry', $2, $3 from changed)
    select changed.* from changed, pg_notify('api_keys_changed', changed.id);

-- keys.findAllByHash
select hash, id, name, mode, scopes, created_at as "createdAt", expires_at as "expiresAt",
revoked_at as "revokedAt", last_used_at as "lastUsedAt", replaced_by as "replacedBy",
coalesce(first_id, id) as "firstId", open_orders as "openOrders",
case when rate_quota is not null
  then json_build_object('quota', rate_quota, 'windowSeconds', rate_window_seconds) end as "rateLimit" from api_keys where hash = any($1) and exists (select 1 from store where address = $2 and (mode = 'live' or not test_keys_elsewhere));

-- keys.findAllById
select id, name, mode, scopes, created_at as "createdAt", expires_at as "expiresAt",
revoked_at as "revokedAt", last_used_at as "lastUsedAt", replaced_by as "replacedBy",
coalesce(first_id, id) as "firstId", open_orders as "openOrders",
case when rate_quota is not null
  then json_build_object('quota', rate_quota, 'windowSeconds', rate_window_seconds) end as "rateLimit" from api_keys where id = any($1) and exists (select 1 from store where address = $2 and (mode = 'live' or not test_keys_elsewhere));

-- keys.findById
select id, name, mode, scopes, created_at as "createdAt", expires_at as "expiresAt",
revoked_at as "revokedAt", last_used_at as "lastUsedAt", replaced_by as "replacedBy",
coalesce(first_id, id) as "firstId", open_orders as "openOrders",
case when rate_quota is not null
  then json_build_object('quota', rate_quota, 'windowSeconds', rate_window_seconds) end as "rateLimit" from api_keys where id = $1;

-- keys.idsOf
select id, hash from api_keys where hash = any($1);

-- keys.insert
    with made as (
      insert into api_keys (id, name, mode, hash, scopes, expires_at, rate_quota, rate_window_seconds)
      select $1, $2, $3, $4, $5, $6, $7, $8 where $3 = 'live' or not (select test_keys_elsewhere from store)
      returning id, name, mode, scopes, created_at as "createdAt", expires_at as "expiresAt",
revoked_at as "revokedAt", last_used_at as "lastUsedAt", replaced_by as "replacedBy",
coalesce(first_id, id) as "firstId", open_orders as "openOrders",
case when rate_quota is not null
  then json_build_object('quota', rate_quota, 'windowSeconds', rate_window_seconds) end as "rateLimit"),
    noted as (
      insert into key_changes (key_id, what, detail, who) select id, 'created', $9, $10 from made)
    select * from made;

-- keys.limit
    with changed as (
      update api_keys set rate_quota = $4::integer, rate_window_seconds = $5::integer where id = $1 and revoked_at is null and
  (rate_quota, rate_window_seconds) is distinct from ($4::integer, $5::integer) returning id, name, mode, scopes, created_at as "createdAt", expires_at as "expiresAt",
revoked_at as "revokedAt", last_used_at as "lastUsedAt", replaced_by as "replacedBy",
coalesce(first_id, id) as "firstId", open_orders as "openOrders",
case when rate_quota is not null
  then json_build_object('quota', rate_quota, 'windowSeconds', rate_window_seconds) end as "rateLimit"),
    noted as (
      insert into key_changes (key_id, what, detail, who) select id, 'limit', $2, $3 from changed)
    select changed.* from changed, pg_notify('api_keys_changed', changed.id);

-- keys.list
select id, name, mode, scopes, created_at as "createdAt", expires_at as "expiresAt",
revoked_at as "revokedAt", last_used_at as "lastUsedAt", replaced_by as "replacedBy",
coalesce(first_id, id) as "firstId", open_orders as "openOrders",
case when rate_quota is not null
  then json_build_object('quota', rate_quota, 'windowSeconds', rate_window_seconds) end as "rateLimit" from api_keys order by created_at, id;

-- keys.listChanges
select changed_at as "changedAt", what, detail, who from key_changes
where key_id = $1 order by id;

-- keys.listNames
select id, name from api_keys order by created_at desc, id desc limit 1000;

-- keys.listPage
    with page as materialized (
      select *, coalesce(first_id, id) as chain_id from api_keys
      where (created_at, id) < (
        case when $1::text is null then 'infinity' else (select created_at from api_keys where id = $1) end,
        coalesce($1, ''))
      order by created_at desc, id desc limit $2),
    delivering as materialized (
      select coalesce(first_id, api_keys.id) as chain_id, count(*)::int as webhooks
      from webhooks join api_keys on api_keys.id = changed_by group by 1),
    holding as materialized (
      select chain_id, (
        select count(*)::int from (
          select from orders where closed_at is null and (orders.chain_id, orders.id) >= (chain.chain_id, 0) and (orders.chain_id, orders.id) <= (chain.chain_id, 9223372036854775807)
          order by orders.chain_id, orders.id limit $3::int) as open) as placed
      from (select distinct chain_id from page) as chain)
    select id, name, mode, scopes, created_at as "createdAt", expires_at as "expiresAt",
revoked_at as "revokedAt", last_used_at as "lastUsedAt", replaced_by as "replacedBy",
coalesce(first_id, id) as "firstId", open_orders as "openOrders",
case when rate_quota is not null
  then json_build_object('quota', rate_quota, 'windowSeconds', rate_window_seconds) end as "rateLimit",
           coalesce((
             select sum(calls) from deprecated_calls
             where api_key_id = page.id and last_called_at > now() - interval '30 days'), 0)::bigint as "deprecatedCalls",
           coalesce((select webhooks from delivering where delivering.chain_id = page.chain_id), 0) as webhooks,
           (select placed from holding where holding.chain_id = page.chain_id) as "placedOrders"
    from page order by created_at desc, page.id desc;

-- keys.openOrders
    with changed as (
      update api_keys set open_orders = $2
      where coalesce(first_id, id) = (select coalesce(first_id, id) from api_keys where id = $1 and revoked_at is null)
        and open_orders is distinct from $2
      returning id, name, mode, scopes, created_at as "createdAt", expires_at as "expiresAt",
revoked_at as "revokedAt", last_used_at as "lastUsedAt", replaced_by as "replacedBy",
coalesce(first_id, id) as "firstId", open_orders as "openOrders",
case when rate_quota is not null
  then json_build_object('quota', rate_quota, 'windowSeconds', rate_window_seconds) end as "rateLimit"),
    noted as (
      insert into key_changes (key_id, what, detail, who) select id, 'limit', $3, $4 from changed)
    select changed.* from changed, pg_notify('api_keys_changed', changed.id);

-- keys.revoked
    with changed as (
      update api_keys set revoked_at = now() where id = $1 and revoked_at is null returning id, name, mode, scopes, created_at as "createdAt", expires_at as "expiresAt",
revoked_at as "revokedAt", last_used_at as "lastUsedAt", replaced_by as "replacedBy",
coalesce(first_id, id) as "firstId", open_orders as "openOrders",
case when rate_quota is not null
  then json_build_object('quota', rate_quota, 'windowSeconds', rate_window_seconds) end as "rateLimit"),
    noted as (
      insert into key_changes (key_id, what, detail, who) select id, 'revoked', $2, $3 from changed)
    select changed.* from changed, pg_notify('api_keys_changed', changed.id);

-- keys.rotate
    with old as (
      select * from api_keys
      where id = $1 and revoked_at is null and replaced_by is null and (expires_at is null or expires_at > now())
      for update),
    replaced as (
      update api_keys set replaced_by = $2, expires_at = least(old.expires_at, $4)
      from old where api_keys.id = old.id),
    made as (
      insert into api_keys
        (id, name, mode, hash, scopes, rate_quota, rate_window_seconds, open_orders, first_id, expires_at)
      select $2, name, mode, $3, scopes, rate_quota, rate_window_seconds, open_orders, coalesce(first_id, id),
             now() + make_interval(secs => extract(epoch from expires_at - created_at)::float8)
      from old returning id, name, mode, scopes, created_at as "createdAt", expires_at as "expiresAt",
revoked_at as "revokedAt", last_used_at as "lastUsedAt", replaced_by as "replacedBy",
coalesce(first_id, id) as "firstId", open_orders as "openOrders",
case when rate_quota is not null
  then json_build_object('quota', rate_quota, 'windowSeconds', rate_window_seconds) end as "rateLimit"),
    noted as (
      insert into key_changes (key_id, what, detail, who)
      select id, 'rotated', $5::text, $6::text from old
      union all select id, 'created', 'in place of ' || $1, $6::text from made)
    select made.* from made, pg_notify('api_keys_changed', $1);

-- keys.touch
with due as (
  select id from api_keys
  where id = any($1) and (last_used_at is null or last_used_at <= now() - interval '1 minute')
  for no key update skip locked)
update api_keys set last_used_at = now() from due where api_keys.id = due.id;

-- leader.lock
select pg_try_advisory_xact_lock($1) as taken;

-- orders.cancel
with input as materialized (
  select pet_id as pet, id as order_id, 'cancelled' as target, null as key_id from orders
  where closed_at is null and (orders.chain_id, orders.id) >= ($1, 0) and (orders.chain_id, orders.id) <= ($1, $2) order by chain_id, id offset $3 limit $4),
locked as materialized (
  select id as pet, held_by from pets
  where id = any (array(select pet from input)) and held_by = any (array(select order_id from input))
  order by id for no key update skip locked),
closed as (
  update orders set status = target, closed_at = date_trunc('milliseconds', clock_timestamp()), closed_by = key_id
  from input join locked using (pet)
  where held_by = order_id and pet_id = pet and id = order_id and coalesce(status, '') = 'placed'
  returning pet_id, id, status, closed_at, key_id),
freed as (
  update pets
  set status = case closed.status when 'completed' then 'sold' else 'available' end,
      held_by = null, version = version + 1
  from closed where pets.id = pet_id
  returning pets.id, pets.version, name, category_id, pets.status, closed.id as order_id, closed.status as target, key_id),
recorded as (
  insert into events (pet_id, version, type, name, category_id, status, order_id, changed, key_id)
  select id, version, 'order.' || target, name, category_id, status, order_id, 'status', key_id from freed)
select count(*)::int as found, (select count(*)::int from closed) as cancelled from input;

-- orders.close
with input as materialized (
  select * from unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[])
    with ordinality as new (pet, order_id, target, key_id, position)),
locked as materialized (
  select id as pet, held_by from pets
  where id = any (array(select pet from input)) and held_by = any (array(select order_id from input))
  order by id for no key update skip locked),
closed as (
  update orders set status = target, closed_at = date_trunc('milliseconds', clock_timestamp()), closed_by = key_id
  from input join locked using (pet)
  where held_by = order_id and pet_id = pet and id = order_id and coalesce(status, '') = 'placed'
  returning pet_id, id, status, closed_at, key_id),
freed as (
  update pets
  set status = case closed.status when 'completed' then 'sold' else 'available' end,
      held_by = null, version = version + 1
  from closed where pets.id = pet_id
  returning pets.id, pets.version, name, category_id, pets.status, closed.id as order_id, closed.status as target, key_id),
recorded as (
  insert into events (pet_id, version, type, name, category_id, status, order_id, changed, key_id)
  select id, version, 'order.' || target, name, category_id, status, order_id, 'status', key_id from freed),
result as (
  select position, pet_id, id, expires_at, reference, placed_by,
         coalesce(closed.status, seen.status) as status, coalesce(closed.closed_at, seen.closed_at) as closed_at,
         coalesce(closed.key_id, seen.closed_by) as closed_by,
         case when closed.id is not null then 'c' when seen.id is null then 'm'
              when seen.status = 'placed' then 'b' else 'e' end as outcome
  from input
  left join lateral (select * from orders where pet_id = pet and id = order_id limit 1) as seen on true
  left join closed using (pet_id, id))
select (select string_agg(outcome, '' order by position) from result) as outcomes, string_agg(coalesce(pet_id::text, ''), ',') as "petId", string_agg(coalesce(id::text, ''), ',') as "id", string_agg(coalesce(status, ''), ',') as "status", string_agg(coalesce(floor(extract(epoch from expires_at) * 1000)::bigint::text, ''), ',') as "expiresAt", string_agg(coalesce((floor(extract(epoch from closed_at) * 1000)::bigint)::text, ''), ',') as "closedAt", json_agg(reference) as "reference", string_agg(coalesce(placed_by, ''), ',') as "placedBy", string_agg(coalesce(closed_by, ''), ',') as "closedBy"
from (
  select * from result where outcome in ('c', 'e') order by position) as orders;

-- orders.count.all
select counted.*
from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::int[])
  with ordinality as page (status, lowest, after_time, after_id, after_pet, count, position),
lateral (
  select count(*)::int as found
  from (
    select *, null::timestamptz as time from orders
    where (id, pet_id) > (page.after_id, page.after_pet)
    order by id, pet_id limit page.count) as orders) as counted
order by page.position;

-- orders.count.closed
select counted.*
from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::int[])
  with ordinality as page (status, lowest, after_time, after_id, after_pet, count, position),
lateral (
  select count(*)::int as found
  from (
    select *, closed_at as time from orders
    where closed_at is not null and status = page.status and closed_at >= timestamptz 'epoch' + page.lowest * interval '1 microsecond'
        and (closed_at, id, pet_id) < (timestamptz 'epoch' + page.after_time * interval '1 microsecond', page.after_id, page.after_pet)
    order by status desc, closed_at desc, id desc, pet_id desc limit page.count) as orders) as counted
order by page.position;

-- orders.count.open
select counted.*
from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::int[])
  with ordinality as page (status, lowest, after_time, after_id, after_pet, count, position),
lateral (
  select count(*)::int as found
  from (
    select *, expires_at as time from orders
    where status = 'placed' and (expires_at, id, pet_id) > (timestamptz 'epoch' + page.after_time * interval '1 microsecond', page.after_id, page.after_pet)
    order by expires_at, id, pet_id limit page.count) as orders) as counted
order by page.position;

-- orders.count.periods
select counted.*
from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::int[])
  with ordinality as page (status, lowest, after_time, after_id, after_pet, count, position),
lateral (
  select count(*)::int as found
  from (
    select *, closed_at as time from orders
    where closed_at is not null and status = page.status and closed_at >= timestamptz 'epoch' + page.lowest * interval '1 microsecond'
        and (closed_at, id, pet_id) < (timestamptz 'epoch' + page.after_time * interval '1 microsecond', page.after_id, page.after_pet)
    order by status desc, closed_at desc, id desc, pet_id desc limit page.count) as orders) as counted
order by page.position;

-- orders.expire
with input as materialized (
  select pet_id as pet, id as order_id, 'expired' as target, null as key_id, expires_at from orders
  where status = 'placed' and expires_at <= now() order by expires_at offset $1 limit $2),
locked as materialized (
  select id as pet, held_by from pets
  where id = any (array(select pet from input)) and held_by = any (array(select order_id from input))
  order by id for no key update skip locked),
closed as (
  update orders set status = target, closed_at = date_trunc('milliseconds', clock_timestamp()), closed_by = key_id
  from input join locked using (pet)
  where held_by = order_id and pet_id = pet and id = order_id and coalesce(status, '') = 'placed'
  returning pet_id, id, status, closed_at, key_id),
freed as (
  update pets
  set status = case closed.status when 'completed' then 'sold' else 'available' end,
      held_by = null, version = version + 1
  from closed where pets.id = pet_id
  returning pets.id, pets.version, name, category_id, pets.status, closed.id as order_id, closed.status as target, key_id),
recorded as (
  insert into events (pet_id, version, type, name, category_id, status, order_id, changed, key_id)
  select id, version, 'order.' || target, name, category_id, status, order_id, 'status', key_id from freed)
select count(*)::int as due, (select count(*)::int from closed) as expired,
       coalesce(extract(epoch from now() - min(expires_at)), 0)::float8 as lag
from input;

-- orders.find
select string_agg(coalesce(pet_id::text, ''), ',') as "petId", string_agg(coalesce(id::text, ''), ',') as "id", string_agg(coalesce(status, ''), ',') as "status", string_agg(coalesce(floor(extract(epoch from expires_at) * 1000)::bigint::text, ''), ',') as "expiresAt", string_agg(coalesce((floor(extract(epoch from closed_at) * 1000)::bigint)::text, ''), ',') as "closedAt", json_agg(reference) as "reference", string_agg(coalesce(placed_by, ''), ',') as "placedBy", string_agg(coalesce(closed_by, ''), ',') as "closedBy"
from unnest($1::bigint[], $2::bigint[]) as wanted (wanted_pet, wanted_id), lateral (
  select * from orders where pet_id = wanted_pet and id = wanted_id limit 1) as orders;

-- orders.list.all
select orders.*
from unnest($1::bigint[], $2::bigint[], $3::int[], $4::text[], $5::bigint[], $6::text[])
  with ordinality as page (after_id, after_pet, count, status, pet, reference, position),
lateral (
  with seen as materialized (
    select * from orders where (id, pet_id) < (page.after_id, page.after_pet) order by id desc, pet_id desc limit 1 * page.count)
  select string_agg(coalesce(pet_id::text, ''), ',') as "petId", string_agg(coalesce(id::text, ''), ',') as "id", string_agg(coalesce(status, ''), ',') as "status", string_agg(coalesce(floor(extract(epoch from expires_at) * 1000)::bigint::text, ''), ',') as "expiresAt", string_agg(coalesce((floor(extract(epoch from closed_at) * 1000)::bigint)::text, ''), ',') as "closedAt", json_agg(reference) as "reference", string_agg(coalesce(placed_by, ''), ',') as "placedBy", string_agg(coalesce(closed_by, ''), ',') as "closedBy", (select count(*)::int from seen) as seen,
         (select id from seen order by id, pet_id limit 1) as "lastId",
         (select pet_id from seen order by id, pet_id limit 1) as "lastPet"
  from (
    select * from seen
    order by id desc, pet_id desc limit page.count) as orders) as orders
order by page.position;

-- orders.list.closed
select orders.*
from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::int[])
  with ordinality as page (status, lowest, after_time, after_id, after_pet, count, position),
lateral (
  select string_agg(coalesce(pet_id::text, ''), ',') as "petId", string_agg(coalesce(id::text, ''), ',') as "id", string_agg(coalesce(status, ''), ',') as "status", string_agg(coalesce(floor(extract(epoch from expires_at) * 1000)::bigint::text, ''), ',') as "expiresAt", string_agg(coalesce((floor(extract(epoch from closed_at) * 1000)::bigint)::text, ''), ',') as "closedAt", json_agg(reference) as "reference", string_agg(coalesce(placed_by, ''), ',') as "placedBy", string_agg(coalesce(closed_by, ''), ',') as "closedBy", string_agg(coalesce((extract(epoch from time) * 1000000)::bigint::text, ''), ',') as "time"
  from (
    select *, closed_at as time from orders
    where closed_at is not null and status = page.status and closed_at >= timestamptz 'epoch' + page.lowest * interval '1 microsecond'
        and (closed_at, id, pet_id) < (timestamptz 'epoch' + page.after_time * interval '1 microsecond', page.after_id, page.after_pet)
    order by status desc, closed_at desc, id desc, pet_id desc limit page.count) as orders) as orders
order by page.position;

-- orders.list.open
select orders.*
from unnest($1::text[], $2::bigint[], $3::bigint[], $4::bigint[], $5::bigint[], $6::int[])
  with ordinality as page (status, lowest, after_time, after_id, after_pet, count, position),
lateral (
  select string_agg(coalesce(pet_id::text, ''), ',') as "petId", string_agg(coalesce(id::text, ''), ',') as "id", string_agg(coalesce(status, ''), ',') as "status", string_agg(coalesce(floor(extract(epoch from expires_at) * 1000)::bigint::text, ''), ',') as "expiresAt", string_agg(coalesce((floor(extract(epoch from closed_at) * 1000)::bigint)::text, ''), ',') as "closedAt", json_agg(reference) as "reference", string_agg(coalesce(placed_by, ''), ',') as "placedBy", string_agg(coalesce(closed_by, ''), ',') as "closedBy", string_agg(coalesce((extract(epoch from time) * 1000000)::bigint::text, ''), ',') as "time"
  from (
    select *, expires_at as time from orders
    where status = 'placed' and (expires_at, id, pet_id) > (timestamptz 'epoch' + page.after_time * interval '1 microsecond', page.after_id, page.after_pet)
    order by expires_at, id, pet_id limit page.count) as orders) as orders
order by page.position;

-- orders.list.pet
select orders.*
from unnest($1::bigint[], $2::bigint[], $3::int[], $4::text[], $5::bigint[], $6::text[])
  with ordinality as page (after_id, after_pet, count, status, pet, reference, position),
lateral (
  with seen as materialized (
    select * from orders where (pet_id, id) < (page.pet, page.after_id) and (pet_id, id) >= (page.pet, 0) order by pet_id desc, id desc limit 1 * page.count)
  select string_agg(coalesce(pet_id::text, ''), ',') as "petId", string_agg(coalesce(id::text, ''), ',') as "id", string_agg(coalesce(status, ''), ',') as "status", string_agg(coalesce(floor(extract(epoch from expires_at) * 1000)::bigint::text, ''), ',') as "expiresAt", string_agg(coalesce((floor(extract(epoch from closed_at) * 1000)::bigint)::text, ''), ',') as "closedAt", json_agg(reference) as "reference", string_agg(coalesce(placed_by, ''), ',') as "placedBy", string_agg(coalesce(closed_by, ''), ',') as "closedBy", (select count(*)::int from seen) as seen,
         (select id from seen order by id, pet_id limit 1) as "lastId",
         (select pet_id from seen order by id, pet_id limit 1) as "lastPet"
  from (
    select * from seen
    order by id desc, pet_id desc limit page.count) as orders) as orders
order by page.position;

-- orders.list.pet.status
select orders.*
from unnest($1::bigint[], $2::bigint[], $3::int[], $4::text[], $5::bigint[], $6::text[])
  with ordinality as page (after_id, after_pet, count, status, pet, reference, position),
lateral (
  with seen as materialized (
    select * from orders where (pet_id, id) < (page.pet, page.after_id) and (pet_id, id) >= (page.pet, 0) order by pet_id desc, id desc limit 4 * page.count)
  select string_agg(coalesce(pet_id::text, ''), ',') as "petId", string_agg(coalesce(id::text, ''), ',') as "id", string_agg(coalesce(status, ''), ',') as "status", string_agg(coalesce(floor(extract(epoch from expires_at) * 1000)::bigint::text, ''), ',') as "expiresAt", string_agg(coalesce((floor(extract(epoch from closed_at) * 1000)::bigint)::text, ''), ',') as "closedAt", json_agg(reference) as "reference", string_agg(coalesce(placed_by, ''), ',') as "placedBy", string_agg(coalesce(closed_by, ''), ',') as "closedBy", (select count(*)::int from seen) as seen,
         (select id from seen order by id, pet_id limit 1) as "lastId",
         (select pet_id from seen order by id, pet_id limit 1) as "lastPet"
  from (
    select * from seen where status = page.status
    order by id desc, pet_id desc limit page.count) as orders) as orders
order by page.position;

-- orders.list.reference
select orders.*
from unnest($1::bigint[], $2::bigint[], $3::int[], $4::text[], $5::bigint[], $6::text[])
  with ordinality as page (after_id, after_pet, count, status, pet, reference, position),
lateral (
  with seen as materialized (
    select * from orders where reference is not null and (reference, id, pet_id) < (page.reference, page.after_id, page.after_pet) and (reference, id) >= (page.reference, 0) order by reference desc, id desc, pet_id desc limit 1 * page.count)
  select string_agg(coalesce(pet_id::text, ''), ',') as "petId", string_agg(coalesce(id::text, ''), ',') as "id", string_agg(coalesce(status, ''), ',') as "status", string_agg(coalesce(floor(extract(epoch from expires_at) * 1000)::bigint::text, ''), ',') as "expiresAt", string_agg(coalesce((floor(extract(epoch from closed_at) * 1000)::bigint)::text, ''), ',') as "closedAt", json_agg(reference) as "reference", string_agg(coalesce(placed_by, ''), ',') as "placedBy", string_agg(coalesce(closed_by, ''), ',') as "closedBy", (select count(*)::int from seen) as seen,
         (select id from seen order by id, pet_id limit 1) as "lastId",
         (select pet_id from seen order by id, pet_id limit 1) as "lastPet"
  from (
    select * from seen
    order by id desc, pet_id desc limit page.count) as orders) as orders
order by page.position;

-- orders.list.reference.status
select orders.*
from unnest($1::bigint[], $2::bigint[], $3::int[], $4::text[], $5::bigint[], $6::text[])
  with ordinality as page (after_id, after_pet, count, status, pet, reference, position),
lateral (
  with seen as materialized (
    select * from orders where reference is not null and (reference, id, pet_id) < (page.reference, page.after_id, page.after_pet) and (reference, id) >= (page.reference, 0) order by reference desc, id desc, pet_id desc limit 4 * page.count)
  select string_agg(coalesce(pet_id::text, ''), ',') as "petId", string_agg(coalesce(id::text, ''), ',') as "id", string_agg(coalesce(status, ''), ',') as "status", string_agg(coalesce(floor(extract(epoch from expires_at) * 1000)::bigint::text, ''), ',') as "expiresAt", string_agg(coalesce((floor(extract(epoch from closed_at) * 1000)::bigint)::text, ''), ',') as "closedAt", json_agg(reference) as "reference", string_agg(coalesce(placed_by, ''), ',') as "placedBy", string_agg(coalesce(closed_by, ''), ',') as "closedBy", (select count(*)::int from seen) as seen,
         (select id from seen order by id, pet_id limit 1) as "lastId",
         (select pet_id from seen order by id, pet_id limit 1) as "lastPet"
  from (
    select * from seen where status = page.status
    order by id desc, pet_id desc limit page.count) as orders) as orders
order by page.position;

-- orders.list.status
select orders.*
from unnest($1::bigint[], $2::bigint[], $3::int[], $4::text[], $5::bigint[], $6::text[])
  with ordinality as page (after_id, after_pet, count, status, pet, reference, position),
lateral (
  with seen as materialized (
    select * from orders where (status, id, pet_id) < (page.status, page.after_id, page.after_pet) and (status, id) >= (page.status, 0) order by status desc, id desc, pet_id desc limit 1 * page.count)
  select string_agg(coalesce(pet_id::text, ''), ',') as "petId", string_agg(coalesce(id::text, ''), ',') as "id", string_agg(coalesce(status, ''), ',') as "status", string_agg(coalesce(floor(extract(epoch from expires_at) * 1000)::bigint::text, ''), ',') as "expiresAt", string_agg(coalesce((floor(extract(epoch from closed_at) * 1000)::bigint)::text, ''), ',') as "closedAt", json_agg(reference) as "reference", string_agg(coalesce(placed_by, ''), ',') as "placedBy", string_agg(coalesce(closed_by, ''), ',') as "closedBy", (select count(*)::int from seen) as seen,
         (select id from seen order by id, pet_id limit 1) as "lastId",
         (select pet_id from seen order by id, pet_id limit 1) as "lastPet"
  from (
    select * from seen
    order by id desc, pet_id desc limit page.count) as orders) as orders
order by page.position;

-- orders.open
select count(*)::int as count, coalesce(max(id), 0)::text as "upTo" from orders
where closed_at is null and (orders.chain_id, orders.id) >= ($1, 0) and (orders.chain_id, orders.id) <= ($1, 9223372036854775807);

-- orders.place
with input as materialized (
  select (((floor(extract(epoch from clock_timestamp()) * 1000)::bigint << 21) + floor(random() * 2097152)::bigint) & -256) + (position & 255) as id,
         pet, expires_in, reference, most_open, api_key_id, chain_id, position
  from unnest($1::bigint[], $2::bigint[], $3::text[], $4::bigint[], $5::text[], $6::text[])
    with ordinality as new (pet, expires_in, reference, most_open, api_key_id, chain_id, position)),
limits as (select chain_id, max(most_open) as most from input where most_open is not null group by chain_id),
chains as materialized (
  select chain_id, most - (
    select count(*) from (
      select from orders where closed_at is null and (orders.chain_id, orders.id) >= (limits.chain_id, 0) and (orders.chain_id, orders.id) <= (limits.chain_id, 9223372036854775807)
      order by orders.chain_id, orders.id limit most) as open) as room
  from limits),
wanted as materialized (
  select id, pet, chain_id, position, case when most_open is null then 256 else room end as room
  from input left join chains using (chain_id)),
locked as materialized (
  select id as pet, version from pets
  where id = any (array(select pet from wanted where room > 0)) and status = 'available'
  order by id for no key update skip locked),
winners as (
  select * from input where id in (
    select id
    from (
      select id, room, row_number() over (partition by chain_id order by position) as place
      from (
        select distinct on (pet) * from wanted join locked using (pet)
        where room > 0 order by pet, position) as first_of_pet) as ranked
    where place <= room)),
inserted as (
  insert into orders (pet_id, id, version, expires_at, reference, placed_by, chain_id)
  select pet, id, version + 1,
         timestamptz 'epoch' + ((id >> 21) + expires_in * 1000) * interval '1 millisecond', reference,
         api_key_id, chain_id
  from winners join locked using (pet)
  returning pet_id, id, version),
held as (
  update pets set status = 'pending', held_by = inserted.id, version = inserted.version
  from inserted where pets.id = inserted.pet_id
  returning pets.id, pets.version, name, category_id, pets.status, inserted.id as order_id),
recorded as (
  insert into events (pet_id, version, type, name, category_id, status, order_id, changed, key_id)
  select held.id, version, 'order.placed', name, category_id, status, order_id, 'status', api_key_id
  from held join winners on winners.id = order_id),
outcomes as (
  select wanted.id, wanted.position,
         case when winners.id = wanted.id then 'placed'
              when winners.pet is not null then 'held'
              when locked.pet is not null or seen.status = 'available' then case when room <= 0 then 'full' else 'busy' end
              when seen.id is null then 'missing'
              when seen.held_by is not null then 'held'
              else coalesce(seen.status, 'none') end as outcome
  from wanted left join locked using (pet)
  left join lateral (
    select id, status, held_by from pets where pets.id = wanted.pet and locked.pet is null limit 1) as seen on true
  left join winners using (pet))
select string_agg(id::text, ',' order by position) as ids, string_agg(outcome, ',' order by position) as outcomes
from outcomes;

-- pets.count.all
select count(*) from (
  select from pets order by id limit 1000) as pets;

-- pets.count.available
select count(*) from (
  select from pets where status = 'available' order by id limit 1000) as pets;

-- pets.count.categories
select string_agg(pets.count::text, ',' order by range.position) as counts
from unnest($1::bigint[], $2::text[], $3::text[]) with ordinality
  as range (category_id, first, last, position),
lateral (
  select count(*)
  from (
    select from pets
    where (category_id, coalesce(status, ''), id) > (range.category_id, range.first, 0)
      and (category_id, coalesce(status, ''), id) < (range.category_id, range.last, 9223372036854775807)
    order by category_id, coalesce(status, ''), id limit 100) as pets) as pets;

-- pets.count.category
select string_agg(pets.count::text, ',' order by range.position) as counts
from unnest($1::bigint[], $2::text[], $3::text[]) with ordinality
  as range (category_id, first, last, position),
lateral (
  select count(*)
  from (
    select from pets
    where (category_id, coalesce(status, ''), id) > (range.category_id, range.first, 0)
      and (category_id, coalesce(status, ''), id) < (range.category_id, range.last, 9223372036854775807)
    order by category_id, coalesce(status, ''), id limit 1000) as pets) as pets;

-- pets.count.pending
select count(*) from (
  select from pets where status = 'pending' order by id limit 1000) as pets;

-- pets.count.sold
select count(*) from (
  select from pets where status = 'sold' order by id limit 1000) as pets;

-- pets.count.statuses
select string_agg(pets.count::text, ',' order by range.position) as counts
from unnest($1::bigint[], $2::text[], $3::text[]) with ordinality
  as range (category_id, first, last, position),
lateral (
  select count(*)
  from (
    select from pets
    where (category_id, coalesce(status, ''), id) > (range.category_id, range.first, 0)
      and (category_id, coalesce(status, ''), id) < (range.category_id, range.last, 9223372036854775807)
    order by category_id, coalesce(status, ''), id limit 1000) as pets) as pets;

-- pets.delete
with input as materialized (
  select * from unnest($1::bigint[], $2::text[], $3::text[])
    with ordinality as input (id, matches, key_id, position)),
old as materialized (
  select id, name, category_id, status, version, held_by from pets
  where id = any($1::bigint[]) order by id for update skip locked),
decided as materialized (
  select old.*, key_id,
         case when input.matches <> '*' and old.version::text <> all (string_to_array(input.matches, ',')) then 'mismatch' when old.held_by is not null then 'held' else 'deleted' end as outcome
  from input join old on old.id = input.id),
written as (
  delete from pets using decided where pets.id = decided.id and decided.outcome = 'deleted'
  returning pets.id, pets.version + 1 as version, pets.name, pets.category_id, pets.status, key_id),
recorded as (
  insert into events (pet_id, version, type, name, category_id, status, key_id)
  select id, version, 'pet.deleted', name, category_id, status, key_id from written),
outdated as (insert into stale_names (pet_id, name) select id, name from written)
select string_agg(coalesce(outcome, ''), ',') as "outcome", string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(category_id::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status", string_agg(coalesce(version::text, ''), ',') as "version", string_agg(coalesce(held_by::text, ''), ',') as "heldBy"
from (
  select input.id, coalesce(decided.name, '') as name, coalesce(decided.category_id, 0) as category_id, decided.status,
         coalesce(written.version, decided.version, 0) as version, decided.held_by,
         case
           when decided.outcome in ('changed', 'deleted') and written.id is null then 'busy'
           when decided.outcome is not null then decided.outcome
           when (select true from pets where pets.id = input.id) then 'busy'
           else 'missing'
         end as outcome
  from input left join decided on decided.id = input.id left join written on written.id = input.id
  order by input.position) as results;

-- pets.find
select string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(category_id::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status" from pets where id = any($1::bigint[]);

-- pets.find-by-name.entries
select found.*, case when $7::boolean then (
  select coalesce(sum(last_id - reached), 0)::float8
         + (select count(*) from (select from pets where not worded order by id limit 1000) as unworded)::float8
  from word_ranges) end as left, (select (coalesce(pg_sequence_last_value('pets_id_seq'), 0) % 9000000000000000)::float8) as last
from unnest($1::text[], $2::bigint[], $3::text[], $4::int[], $5::text[], $6::bigint[]) with ordinality
  as page (word, after, stop, count, status, category_id, position),
lateral (
  with entries as materialized (
    select * from (
      select word, pet_id from pet_words
      where (word, pet_id) > (page.word collate "C", page.after) and (word, pet_id) < (page.stop collate "C", 0)
      order by word, pet_id limit 1000) as entries
    limit page.count),
  found as materialized (
    select entries.word, pets.*
    from entries, lateral (select * from pets where id = entries.pet_id offset 0) as pets
    order by entries.word, entries.pet_id)
  select string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(category_id::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status", string_agg(coalesce(version::text, ''), ',') as "version", string_agg(coalesce(held_by::text, ''), ',') as "heldBy", json_agg(word) as words,
         (select count(*)::int from entries) as read, (select count(*)::int from found) as existing,
         (select word from entries order by word desc, pet_id desc limit 1) as "lastWord",
         (select pet_id from entries order by word desc, pet_id desc limit 1) as "lastId"
  from found
  where (page.status is null or status = page.status)
    and (page.category_id is null or category_id = page.category_id)) as found
order by page.position;

-- pets.find-by-name.filtered
select pets.*, case when $3::boolean then (
  select coalesce(sum(last_id - reached), 0)::float8
         + (select count(*) from (select from pets where not worded order by id limit 1000) as unworded)::float8
  from word_ranges) end as left, (select (coalesce(pg_sequence_last_value('pets_id_seq'), 0) % 9000000000000000)::float8) as last
from unnest($1::text[], $2::bigint[]) with ordinality as page (status, category_id, position),
lateral (
  with pets as materialized (
    select * from (
      select pets.*
      from (values (''), ('available'), ('pending'), ('sold')) as range (status),
      lateral (
        select * from pets
        where (category_id, coalesce(status, ''), id) > (page.category_id, range.status, 0)
          and (category_id, coalesce(status, ''), id) < (page.category_id, range.status, 9223372036854775807)
        order by category_id, coalesce(status, ''), id limit 1001) as pets
      where page.status is null or range.status = page.status
      union all
      (select * from pets where status = 'available' and page.category_id is null and page.status = 'available'
       order by id limit 1001)
      union all
      (select * from pets where status = 'pending' and page.category_id is null and page.status = 'pending'
       order by id limit 1001)
      union all
      (select * from pets where status = 'sold' and page.category_id is null and page.status = 'sold'
       order by id limit 1001)) as pets
    limit 1001),
  size as materialized (
    select count(*) <= 1000 and coalesce(sum(octet_length(name)), 0) <= 32768 as "isWhole"
    from pets)
  select (select "isWhole" from size) as "isWhole", string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(category_id::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status", string_agg(coalesce(version::text, ''), ',') as "version", string_agg(coalesce(held_by::text, ''), ',') as "heldBy"
  from pets where (select "isWhole" from size)) as pets
order by page.position;

-- pets.find-by-name.sizes
select (
    select string_agg(entries.count::text, ',' order by term.position)
    from unnest(string_to_array(page.terms, ' '), string_to_array(page.ends, ' ')) with ordinality
      as term (start, stop, position),
    lateral (
      select count(*) from (
        select from pet_words
        where (word, pet_id) > (term.start collate "C", 0) and (word, pet_id) < (term.stop collate "C", 0)
        order by word, pet_id limit 1000) as entries) as entries) as entries,
  (select count(*)::int from (
    select * from (
      select pets.*
      from (values (''), ('available'), ('pending'), ('sold')) as range (status),
      lateral (
        select * from pets
        where (category_id, coalesce(status, ''), id) > (page.category_id, range.status, 0)
          and (category_id, coalesce(status, ''), id) < (page.category_id, range.status, 9223372036854775807)
        order by category_id, coalesce(status, ''), id limit 1001) as pets
      where page.status is null or range.status = page.status
      union all
      (select * from pets where status = 'available' and page.category_id is null and page.status = 'available'
       order by id limit 1001)
      union all
      (select * from pets where status = 'pending' and page.category_id is null and page.status = 'pending'
       order by id limit 1001)
      union all
      (select * from pets where status = 'sold' and page.category_id is null and page.status = 'sold'
       order by id limit 1001)) as pets
    limit 1001) as pets) as filtered, case when $5::boolean then (
  select coalesce(sum(last_id - reached), 0)::float8
         + (select count(*) from (select from pets where not worded order by id limit 1000) as unworded)::float8
  from word_ranges) end as left, (select (coalesce(pg_sequence_last_value('pets_id_seq'), 0) % 9000000000000000)::float8) as last
from unnest($1::text[], $2::text[], $3::text[], $4::bigint[]) with ordinality
  as page (terms, ends, status, category_id, position)
order by page.position;

-- pets.find.full
select string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(category_id::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status", string_agg(coalesce(version::text, ''), ',') as "version", string_agg(coalesce(held_by::text, ''), ',') as "heldBy" from pets where id = any($1::bigint[]);

-- pets.find.versioned
select string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(category_id::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status", string_agg(coalesce(version::text, ''), ',') as "version" from pets where id = any($1::bigint[]);

-- pets.insert
with input as materialized (
  select nextval('pets_id_seq') as id, name, category_id, status, key_id, words, position
  from unnest($1::text[], $2::bigint[], $3::text[], $4::text[], $5::text[])
    with ordinality as new (name, category_id, status, key_id, words, position)),
inserted as (
  insert into pets (id, name, category_id, status, worded) select id, name, category_id, status, true from input),
recorded as (
  insert into events (pet_id, version, type, name, category_id, status, key_id)
  select id, 1, 'pet.created', name, category_id, status, key_id from input),
worded as (insert into pet_words (word, pet_id) select word, id from input, unnest(string_to_array(words, e'\n')) as word)
select string_agg(id::text, ',' order by position) as ids from input;

-- pets.list.all
select pets.*
from unnest($1::bigint[], $2::int[]) with ordinality as page (after, count, position),
lateral (
  select string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(category_id::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status"
  from (
    select * from pets
    where id > page.after
    order by id limit page.count) as pets) as pets
order by page.position;

-- pets.list.all.full
select pets.*
from unnest($1::bigint[], $2::int[]) with ordinality as page (after, count, position),
lateral (
  select string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(category_id::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status", string_agg(coalesce(version::text, ''), ',') as "version", string_agg(coalesce(held_by::text, ''), ',') as "heldBy"
  from (
    select * from pets
    where id > page.after
    order by id limit page.count) as pets) as pets
order by page.position;

-- pets.list.all.newest
select pets.*
from unnest($1::bigint[], $2::int[]) with ordinality as page (after, count, position),
lateral (
  select string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(category_id::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status"
  from (
    select * from pets
    where id < page.after
    order by id desc limit page.count) as pets) as pets
order by page.position;

-- pets.list.all.newest.full
select pets.*
from unnest($1::bigint[], $2::int[]) with ordinality as page (after, count, position),
lateral (
  select string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(category_id::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status", string_agg(coalesce(version::text, ''), ',') as "version", string_agg(coalesce(held_by::text, ''), ',') as "heldBy"
  from (
    select * from pets
    where id < page.after
    order by id desc limit page.count) as pets) as pets
order by page.position;

-- pets.list.available
select pets.*
from unnest($1::bigint[], $2::int[]) with ordinality as page (after, count, position),
lateral (
  select string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(category_id::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status"
  from (
    select * from pets
    where id > page.after and status = 'available'
    order by id limit page.count) as pets) as pets
order by page.position;

-- pets.list.available.full
select pets.*
from unnest($1::bigint[], $2::int[]) with ordinality as page (after, count, position),
lateral (
  select string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(category_id::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status", string_agg(coalesce(version::text, ''), ',') as "version", string_agg(coalesce(held_by::text, ''), ',') as "heldBy"
  from (
    select * from pets
    where id > page.after and status = 'available'
    order by id limit page.count) as pets) as pets
order by page.position;

-- pets.list.available.newest
select pets.*
from unnest($1::bigint[], $2::int[]) with ordinality as page (after, count, position),
lateral (
  select string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(category_id::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status"
  from (
    select * from pets
    where id < page.after and status = 'available'
    order by id desc limit page.count) as pets) as pets
order by page.position;

-- pets.list.available.newest.full
select pets.*
from unnest($1::bigint[], $2::int[]) with ordinality as page (after, count, position),
lateral (
  select string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(category_id::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status", string_agg(coalesce(version::text, ''), ',') as "version", string_agg(coalesce(held_by::text, ''), ',') as "heldBy"
  from (
    select * from pets
    where id < page.after and status = 'available'
    order by id desc limit page.count) as pets) as pets
order by page.position;

-- pets.list.category
select pets.*
from unnest($1::bigint[], $2::text[], $3::bigint[], $4::int[]) with ordinality
  as page (category_id, status, after, count, position),
lateral (
  select string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(category_id::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status"
  from (
    select pets.*
    from (values (''), ('available'), ('pending'), ('sold')) as range (status),
    lateral (
      select * from (
        select * from pets
        where (category_id, coalesce(status, ''), id) > (page.category_id, range.status, page.after) and (category_id, coalesce(status, ''), id) < (page.category_id, range.status, 9223372036854775807)
        order by category_id, coalesce(status, ''), id limit 1000) as pets
      limit page.count) as pets
    where page.status is null or range.status = page.status
    order by id limit page.count) as pets) as pets
order by page.position;

-- pets.list.category.full
select pets.*
from unnest($1::bigint[], $2::text[], $3::bigint[], $4::int[]) with ordinality
  as page (category_id, status, after, count, position),
lateral (
  select string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(category_id::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status", string_agg(coalesce(version::text, ''), ',') as "version", string_agg(coalesce(held_by::text, ''), ',') as "heldBy"
  from (
    select pets.*
    from (values (''), ('available'), ('pending'), ('sold')) as range (status),
    lateral (
      select * from (
        select * from pets
        where (category_id, coalesce(status, ''), id) > (page.category_id, range.status, page.after) and (category_id, coalesce(status, ''), id) < (page.category_id, range.status, 9223372036854775807)
        order by category_id, coalesce(status, ''), id limit 1000) as pets
      limit page.count) as pets
    where page.status is null or range.status = page.status
    order by id limit page.count) as pets) as pets
order by page.position;

-- pets.list.category.newest
select pets.*
from unnest($1::bigint[], $2::text[], $3::bigint[], $4::int[]) with ordinality
  as page (category_id, status, after, count, position),
lateral (
  select string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(category_id::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status"
  from (
    select pets.*
    from (values (''), ('available'), ('pending'), ('sold')) as range (status),
    lateral (
      select * from (
        select * from pets
        where (category_id, coalesce(status, ''), id) < (page.category_id, range.status, page.after) and (category_id, coalesce(status, ''), id) > (page.category_id, range.status, 0)
        order by category_id desc, coalesce(status, '') desc, id desc limit 1000) as pets
      limit page.count) as pets
    where page.status is null or range.status = page.status
    order by id desc limit page.count) as pets) as pets
order by page.position;

-- pets.list.category.newest.full
select pets.*
from unnest($1::bigint[], $2::text[], $3::bigint[], $4::int[]) with ordinality
  as page (category_id, status, after, count, position),
lateral (
  select string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(category_id::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status", string_agg(coalesce(version::text, ''), ',') as "version", string_agg(coalesce(held_by::text, ''), ',') as "heldBy"
  from (
    select pets.*
    from (values (''), ('available'), ('pending'), ('sold')) as range (status),
    lateral (
      select * from (
        select * from pets
        where (category_id, coalesce(status, ''), id) < (page.category_id, range.status, page.after) and (category_id, coalesce(status, ''), id) > (page.category_id, range.status, 0)
        order by category_id desc, coalesce(status, '') desc, id desc limit 1000) as pets
      limit page.count) as pets
    where page.status is null or range.status = page.status
    order by id desc limit page.count) as pets) as pets
order by page.position;

-- pets.list.pending
select pets.*
from unnest($1::bigint[], $2::int[]) with ordinality as page (after, count, position),
lateral (
  select string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(category_id::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status"
  from (
    select * from pets
    where id > page.after and status = 'pending'
    order by id limit page.count) as pets) as pets
order by page.position;

-- pets.list.pending.full
select pets.*
from unnest($1::bigint[], $2::int[]) with ordinality as page (after, count, position),
lateral (
  select string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(category_id::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status", string_agg(coalesce(version::text, ''), ',') as "version", string_agg(coalesce(held_by::text, ''), ',') as "heldBy"
  from (
    select * from pets
    where id > page.after and status = 'pending'
    order by id limit page.count) as pets) as pets
order by page.position;

-- pets.list.pending.newest
select pets.*
from unnest($1::bigint[], $2::int[]) with ordinality as page (after, count, position),
lateral (
  select string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(category_id::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status"
  from (
    select * from pets
    where id < page.after and status = 'pending'
    order by id desc limit page.count) as pets) as pets
order by page.position;

-- pets.list.pending.newest.full
select pets.*
from unnest($1::bigint[], $2::int[]) with ordinality as page (after, count, position),
lateral (
  select string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(category_id::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status", string_agg(coalesce(version::text, ''), ',') as "version", string_agg(coalesce(held_by::text, ''), ',') as "heldBy"
  from (
    select * from pets
    where id < page.after and status = 'pending'
    order by id desc limit page.count) as pets) as pets
order by page.position;

-- pets.list.sold
select pets.*
from unnest($1::bigint[], $2::int[]) with ordinality as page (after, count, position),
lateral (
  select string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(category_id::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status"
  from (
    select * from pets
    where id > page.after and status = 'sold'
    order by id limit page.count) as pets) as pets
order by page.position;

-- pets.list.sold.full
select pets.*
from unnest($1::bigint[], $2::int[]) with ordinality as page (after, count, position),
lateral (
  select string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(category_id::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status", string_agg(coalesce(version::text, ''), ',') as "version", string_agg(coalesce(held_by::text, ''), ',') as "heldBy"
  from (
    select * from pets
    where id > page.after and status = 'sold'
    order by id limit page.count) as pets) as pets
order by page.position;

-- pets.list.sold.newest
select pets.*
from unnest($1::bigint[], $2::int[]) with ordinality as page (after, count, position),
lateral (
  select string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(category_id::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status"
  from (
    select * from pets
    where id < page.after and status = 'sold'
    order by id desc limit page.count) as pets) as pets
order by page.position;

-- pets.list.sold.newest.full
select pets.*
from unnest($1::bigint[], $2::int[]) with ordinality as page (after, count, position),
lateral (
  select string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(category_id::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status", string_agg(coalesce(version::text, ''), ',') as "version", string_agg(coalesce(held_by::text, ''), ',') as "heldBy"
  from (
    select * from pets
    where id < page.after and status = 'sold'
    order by id desc limit page.count) as pets) as pets
order by page.position;

-- pets.update
with input as materialized (
  select * from unnest($1::bigint[], $2::text[], $3::text[], $4::bigint[], $5::text[], $6::boolean[], $7::text[], $8::text[])
    with ordinality as input (id, matches, name, category_id, status, has_status, key_id, words, position)),
old as materialized (
  select id, name, category_id, status, version, held_by from pets
  where id = any($1::bigint[]) order by id for no key update skip locked),
decided as materialized (
  select old.id, new.name, new.category_id, new.status, old.version, old.held_by, key_id,
         concat_ws(' ', case when new.name <> old.name then 'name' end,
                   case when new.category_id <> old.category_id then 'categoryId' end,
                   case when new.status is distinct from old.status then 'status' end) as changed,
         case when new.name <> old.name then old.name end as previous_name,
         case when new.category_id <> old.category_id then old.category_id end as previous_category_id,
         case when new.status is distinct from old.status then coalesce(old.status, 'none') end as previous_status,
         case
           when input.matches <> '*' and old.version::text <> all (string_to_array(input.matches, ',')) then 'mismatch'
           when old.status = 'sold' and new.status is distinct from 'sold' and coalesce(input.matches, '*') = '*'
             then 'sold'
           when input.has_status and old.held_by is not null then 'held'
           when (new.name, new.category_id, new.status) is not distinct from (old.name, old.category_id, old.status)
             then 'unchanged'
           else 'changed'
         end as outcome
  from input join old on old.id = input.id,
  lateral (
    select coalesce(input.name, old.name) as name, coalesce(input.category_id, old.category_id) as category_id,
           case when input.has_status then input.status else old.status end as status) as new),
written as (
  update pets
  set name = decided.name, category_id = decided.category_id, status = decided.status, version = decided.version + 1,
      held_by = decided.held_by
  from decided where pets.id = decided.id and decided.outcome = 'changed'
  returning pets.id, pets.version, decided.name, decided.category_id, decided.status, decided.held_by, changed, key_id,
            previous_name, previous_category_id, previous_status),
recorded as (
  insert into events (pet_id, version, type, name, category_id, status, order_id, changed, key_id,
                      previous_name, previous_category_id, previous_status)
  select id, version, 'pet.updated', name, category_id, status, held_by, changed, key_id,
         previous_name, previous_category_id, previous_status from written),
worded as (
  insert into pet_words (word, pet_id)
  select word, id from written join input using (id), unnest(string_to_array(words, e'\n')) as word
  order by word collate "C", id on conflict do nothing),
outdated as (
  insert into stale_names (pet_id, name)
  select id, old.name from written join old using (id) where written.name <> old.name)
select string_agg(coalesce(outcome, ''), ',') as "outcome", string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name", string_agg(coalesce(category_id::text, ''), ',') as "categoryId", string_agg(coalesce(status, ''), ',') as "status", string_agg(coalesce(version::text, ''), ',') as "version", string_agg(coalesce(held_by::text, ''), ',') as "heldBy"
from (
  select input.id, coalesce(decided.name, '') as name, coalesce(decided.category_id, 0) as category_id, decided.status,
         coalesce(written.version, decided.version, 0) as version, decided.held_by,
         case
           when decided.outcome in ('changed', 'deleted') and written.id is null then 'busy'
           when decided.outcome is not null then decided.outcome
           when (select true from pets where pets.id = input.id) then 'busy'
           else 'missing'
         end as outcome
  from input left join decided on decided.id = input.id left join written on written.id = input.id
  order by input.position) as results;

-- readiness
select 1;

-- sessions.end
delete from console_sessions where token_sha256 = decode($1, 'hex');

-- sessions.endAll
with ended as (
  update console_sessions set last_seen_at = '-infinity'
  where ends_at > now() and last_seen_at > now() - interval '60 minutes' and key_id = coalesce($1, key_id) returning key_id)
select count(*)::int as ended from ended join api_keys on api_keys.id = key_id where revoked_at is null and (expires_at is null or expires_at > now());

-- sessions.findAll
select encode(token_sha256, 'hex') as hash, key_id as "keyId", ends_at as "endsAt",
  not (ends_at > now() and last_seen_at > now() - interval '60 minutes') as "hasEnded", last_seen_at <= now() - interval '1 minute' as "isDue"
from console_sessions where token_sha256 = any (array(select decode(text, 'hex') from unnest($1::text[]) as text));

-- sessions.insert
with ended as (
  update console_sessions set last_seen_at = '-infinity' where token_sha256 = any (array(
    select token_sha256 from console_sessions where key_id = $2 and ends_at > now() and last_seen_at > now() - interval '60 minutes'
    order by created_at desc offset 99 limit 900))),
gone as (
  delete from console_sessions where token_sha256 = any (
    array(
      select token_sha256 from console_sessions where key_id = $2 order by created_at desc offset 999)
    || decode($3, 'hex')))
insert into console_sessions (token_sha256, key_id, ends_at)
values (decode($1, 'hex'), $2, now() + interval '12 hours') returning ends_at as "endsAt";

-- sessions.listOpen
select key_id as "keyId", name as "keyName", console_sessions.created_at as "createdAt",
       last_seen_at as "lastSeenAt", ends_at as "endsAt"
from console_sessions join api_keys on api_keys.id = key_id
where ends_at > now() and last_seen_at > now() - interval '60 minutes' and revoked_at is null and (expires_at is null or expires_at > now()) order by console_sessions.created_at, key_id;

-- sessions.prune
with gone as (
  delete from console_sessions where token_sha256 = any (array(
    select token_sha256 from console_sessions where ends_at <= now() order by ends_at limit $1))
  returning 1)
select count(*)::int as removed from gone;

-- sessions.touch
with due as (
  select token_sha256 from console_sessions
  where token_sha256 = any (array(select decode(text, 'hex') from unnest($1::text[]) as text))
    and last_seen_at <= now() - interval '1 minute' and ends_at > now() and last_seen_at > now() - interval '60 minutes'
  for no key update skip locked)
update console_sessions set last_seen_at = now() from due
where console_sessions.token_sha256 = due.token_sha256;

-- status.read
select count(*) filter (where state = 'active')::int as active,
       count(*) filter (where state = 'paused')::int as paused,
       count(*) filter (where state = 'disabled')::int as disabled,
       count(*) filter (where state = 'active' and coalesce(leased_until, created_at) < now() - interval '30 seconds')::int as undelivered,
       min(sequence) filter (where state = 'active') as "lastPlace",
       (select count(*)::int from (
          select from api_keys
          where revoked_at is null and replaced_by is null
            and expires_at > now() and expires_at < now() + interval '30 days'
          limit 1000) as expiring) as "expiringKeys",
       pg_is_in_recovery() or current_setting('transaction_read_only') = 'on' as "isReadOnly"
from webhooks;

-- stores.canBeSandbox
select from store where address = 'test' or pg_sequence_last_value('pets_id_seq') is null and not exists (select from api_keys) and not exists (select from categories);

-- stores.identity
select concat_ws(' ', system_identifier, oid) as identity
from pg_control_system(), pg_database where datname = current_database();

-- stores.isUnused
select where pg_sequence_last_value('pets_id_seq') is null and not exists (select from api_keys);

-- stores.markSandbox
update store set address = 'test', test_keys_elsewhere = false
where address = 'test' or pg_sequence_last_value('pets_id_seq') is null and not exists (select from api_keys) and not exists (select from categories)
returning address;

-- stores.noteTestKeysElsewhere
update store set test_keys_elsewhere = true;

-- stores.putChanges
insert into key_changes (key_id, changed_at, what, detail, who)
select key_id, changed_at, what, detail, who from json_populate_recordset(null::key_changes, $1) as moved
where not exists (
  select from key_changes as kept
  where (kept.key_id, kept.changed_at, kept.what, kept.detail) = (moved.key_id, moved.changed_at, moved.what, moved.detail))
order by id;

-- stores.putDeprecatedCalls
insert into deprecated_calls select * from json_populate_recordset(null::deprecated_calls, $1)
on conflict do nothing;

-- stores.putKeys
with moved as materialized (
  select key_id, max(changed_at) as changed_at from json_populate_recordset(null::key_changes, $2) group by key_id),
put as (
  insert into api_keys as kept select * from json_populate_recordset(null::api_keys, $1)
  on conflict (id) do update set
    revoked_at = least(kept.revoked_at, excluded.revoked_at), expires_at = excluded.expires_at,
    replaced_by = excluded.replaced_by, open_orders = excluded.open_orders,
    rate_quota = excluded.rate_quota, rate_window_seconds = excluded.rate_window_seconds
  where kept.revoked_at is null and excluded.revoked_at is not null
    or (select changed_at from moved where key_id = excluded.id)
       > (select max(changed_at) from key_changes where key_id = kept.id)
  returning id)
select pg_notify('api_keys_changed', id) from put;

-- stores.putWebhooks
insert into webhooks (id, name, url, types, state, reason, created_at, created_by, changed_by, has_succeeded, secret_number,
  old_secret_ends_at, attempts, sequence, mark)
select id, name, url, types, state, reason, created_at, created_by, changed_by, has_succeeded, secret_number,
  old_secret_ends_at, attempts, split_part(head, ' ', 1)::bigint, split_part(head, ' ', 2)::bigint
from json_populate_recordset(null::webhooks, $1), (select concat_ws(' ', first + greatest(cardinality(pet_ids), 1) - 1, mark, epoch) as head from feed_pages order by first desc limit 1) as feed
on conflict do nothing;

-- stores.read
select address, test_keys_elsewhere as "testKeysElsewhere" from store;

-- stores.remove.deprecated_calls
delete from deprecated_calls where api_key_id = any($1);

-- stores.remove.key_changes
delete from key_changes where key_id = any($1);

-- stores.remove.webhooks
delete from webhooks where changed_by = any($1);

-- stores.removeKeys
with gone as (delete from api_keys where id = any($1) returning id)
select pg_notify('api_keys_changed', id) from gone;

-- stores.reset
    with page as (
      insert into feed_pages (first, pet_ids, versions, snapshot, mark, epoch, system, last_pet_id)
      select $1, '{}', '{}', pg_current_snapshot(), floor(random() * 9e15)::bigint, $1, system_identifier, coalesce(pg_sequence_last_value('pets_id_seq'), 0)
      from pg_control_system() returning *),
    moved as (
      update webhooks set sequence = page.first, mark = page.mark, moves = moves + 1, failing_since = null, failures = 0,
        next_attempt_at = null, retry_at = null, leased_by = null,
leased_until = case when leased_until > now() then least(leased_until, now() + interval '2000 milliseconds') end
      from page)
    select pg_notify('petstore_feed', concat_ws(' ', first + greatest(cardinality(pet_ids), 1) - 1, mark, epoch)) from page;

-- stores.startIds
select setval('pets_id_seq', $1) where pg_sequence_last_value('pets_id_seq') is null;

-- stores.tables
select to_regclass('store') is not null as store, to_regclass('api_keys') is not null as keys;

-- stores.takeTestKeys
with ids as (select id from api_keys where mode = 'test')
select array(select id from ids) as ids,
       (select json_agg(api_keys)::text from api_keys where mode = 'test') as keys,
       (select json_agg(key_changes)::text from key_changes where key_id in (select id from ids)) as changes,
       (select json_agg(deprecated_calls)::text from deprecated_calls
        where api_key_id in (select id from ids)) as "deprecatedCalls",
       (select json_agg(webhooks)::text from webhooks where changed_by in (select id from ids)) as webhooks,
       (select coalesce(json_agg(json_build_object('id', id, 'url', url, 'createdBy', created_by) order by id), '[]')
        from webhooks where changed_by in (select id from ids)) as "movedWebhooks",
       (select count(*)::int from orders
        where closed_at is null and placed_by in (select id from ids)) as "openOrders";

-- webhooks.claim
with here as (
  insert into deliverers (id, seen_at) values ($1, clock_timestamp())
  on conflict (id) do update set seen_at = excluded.seen_at),
gone as (
  delete from deliverers where id in (
    select id from deliverers where id <> $1 and seen_at < clock_timestamp() - interval '5 seconds'
    for update skip locked)),
share as (
  select ceil(webhooks::float8 / (1 + others))::int as share
  from (select count(*) as webhooks from webhooks where (state = 'active' or ping_requested_at is not null)) as wanted,
       (select count(*) as others from deliverers
        where id <> $1 and seen_at >= clock_timestamp() - interval '5 seconds') as alive),
free as (
  select id, coalesce(leased_until, created_at) as since from webhooks
  where (state = 'active' or ping_requested_at is not null) and (leased_until is null or leased_until < clock_timestamp())
  for no key update skip locked),
claimed as (
  update webhooks set leased_by = $1, leased_until = clock_timestamp() + interval '5 seconds'
  where id in (
    select id from (select *, row_number() over (order by since, id) as place from free) as ordered, share
    where place <= share - $2::int or since < clock_timestamp() - interval '3 seconds')
  returning *)
select share, (select concat_ws(' ', first + greatest(cardinality(pet_ids), 1) - 1, mark, epoch) as head from feed_pages order by first desc limit 1) as head, id, url, string_to_array(types, ' ') as types, state = 'active' as "isActive",
       has_succeeded as "hasSucceeded", secret_number as "secretNumber", (extract(epoch from old_secret_ends_at) * 1000)::float8 as "oldSecretEndsAt", sequence, mark, moves,
       (extract(epoch from failing_since) * 1000)::float8 as "failingSince", failures,
       (extract(epoch from next_attempt_at) * 1000)::float8 as "nextAttemptAt", attempts,
       ping_requested_at::text as "pingRequestedAt", retry_at::text as "retryAt"
from share left join claimed on true;

-- webhooks.count
select count(*) filter (where state = 'active')::int as active,
       count(*) filter (where state = 'paused')::int as paused,
       count(*) filter (where state = 'disabled')::int as disabled,
       count(*) filter (where state = 'active' and coalesce(leased_until, created_at) < now() - interval '30 seconds')::int as undelivered
from webhooks;

-- webhooks.find
select id, name, url, string_to_array(types, ' ') as types, state, case when state = 'paused' then reason end as reason,
created_at as "createdAt", created_by as "createdBy", changed_by as "changedBy", secret_number as "secretNumber",
case when old_secret_ends_at > now() then old_secret_ends_at end as "oldSecretEndsAt",
sequence, failing_since as "failingSince", failures, next_attempt_at as "nextAttemptAt",
(select to_json(last) from (
   select at, event_id as "eventId", status, error, duration_ms as "durationMs", response_body as "responseBody" from webhook_attempts where webhook_id = webhooks.id order by at desc, place desc limit 1
 ) as last) as "lastAttempt" from webhooks where id = $1;

-- webhooks.findByCreation
select id, name, url, string_to_array(types, ' ') as types, state, case when state = 'paused' then reason end as reason,
created_at as "createdAt", created_by as "createdBy", changed_by as "changedBy", secret_number as "secretNumber",
case when old_secret_ends_at > now() then old_secret_ends_at end as "oldSecretEndsAt",
sequence, failing_since as "failingSince", failures, next_attempt_at as "nextAttemptAt",
(select to_json(last) from (
   select at, event_id as "eventId", status, error, duration_ms as "durationMs", response_body as "responseBody" from webhook_attempts where webhook_id = webhooks.id order by at desc, place desc limit 1
 ) as last) as "lastAttempt" from webhooks where creation = $1;

-- webhooks.findEnd
with
recursive keys as (
  select webhooks.id as webhook_id, changed_by, 1 as place, replaced_by, revoked_at, expires_at, scopes
  from webhooks join api_keys on api_keys.id = changed_by where webhooks.id = $1
  union all
  select webhook_id, changed_by, place + 1, next.replaced_by, next.revoked_at, next.expires_at, next.scopes
  from keys join api_keys as next on next.id = keys.replaced_by),
valid as (
  select *, revoked_at is null and (expires_at is null or expires_at > now()) as is_valid,
         scopes @> '{webhooks:manage,events:read}' as has_scopes
  from keys),
ended as (
  select webhook_id, changed_by,
         (array_agg(
           case when is_valid then 'key_scope' when revoked_at is not null then 'key_revoked' else 'key_expired' end
           order by place desc))[1] as reason
  from valid group by webhook_id, changed_by having not bool_or(is_valid and has_scopes)) select reason from ended;

-- webhooks.insert
insert into webhooks (id, url, types, sequence, mark, created_by, changed_by, creation, name)
select $1, $2, $3, $4, $5, $7, $7, $8, $9 where (select count(*) from webhooks) < $6 on conflict do nothing;

-- webhooks.list
select id, name, url, string_to_array(types, ' ') as types, state, case when state = 'paused' then reason end as reason,
created_at as "createdAt", created_by as "createdBy", changed_by as "changedBy", secret_number as "secretNumber",
case when old_secret_ends_at > now() then old_secret_ends_at end as "oldSecretEndsAt",
sequence, failing_since as "failingSince", failures, next_attempt_at as "nextAttemptAt",
(select to_json(last) from (
   select at, event_id as "eventId", status, error, duration_ms as "durationMs", response_body as "responseBody" from webhook_attempts where webhook_id = webhooks.id order by at desc, place desc limit 1
 ) as last) as "lastAttempt" from webhooks order by created_at, id;

-- webhooks.listAttempts
select at, event_id as "eventId", status, error, duration_ms as "durationMs", response_body as "responseBody" from webhooks left join webhook_attempts on webhook_id = id
where id = $1 order by at desc, place desc;

-- webhooks.lockKey
select pg_try_advisory_xact_lock(hashtextextended($1, hashtextextended($2, 0))) as "isFree";

-- webhooks.pauseEnded
      with
recursive keys as (
  select webhooks.id as webhook_id, changed_by, 1 as place, replaced_by, revoked_at, expires_at, scopes
  from webhooks join api_keys on api_keys.id = changed_by where state = 'active'
  union all
  select webhook_id, changed_by, place + 1, next.replaced_by, next.revoked_at, next.expires_at, next.scopes
  from keys join api_keys as next on next.id = keys.replaced_by),
valid as (
  select *, revoked_at is null and (expires_at is null or expires_at > now()) as is_valid,
         scopes @> '{webhooks:manage,events:read}' as has_scopes
  from keys),
ended as (
  select webhook_id, changed_by,
         (array_agg(
           case when is_valid then 'key_scope' when revoked_at is not null then 'key_revoked' else 'key_expired' end
           order by place desc))[1] as reason
  from valid group by webhook_id, changed_by having not bool_or(is_valid and has_scopes)),
      locked as (
        select id, ended.reason from webhooks join ended on webhook_id = id and ended.changed_by = webhooks.changed_by
        where state = 'active' for no key update of webhooks skip locked)
      update webhooks set state = 'paused', reason = locked.reason, leased_by = null,
leased_until = case when leased_until > now() then least(leased_until, now() + interval '2000 milliseconds') end
      from locked where webhooks.id = locked.id
      returning webhooks.id, webhooks.reason, changed_by as "keyId";

-- webhooks.readKey
select pet_id as id, api_key_id as "keyId", fingerprint = decode($4, 'hex') as "isSame", attempt = $5 as "isOwn"
from idempotency_keys
where key = $1 and coalesce(chain_id, api_key_id) = $2 and operation = $3;

-- webhooks.remove
delete from webhooks where id = $1 returning id;

-- webhooks.renew
with given as (
  select * from json_to_recordset($2) as given (
    id text, sequence bigint, "pageToken" bigint, revision int, attempts bigint, failures int, "failingSince" float8,
    "nextAttemptAt" float8, "hasSucceeded" boolean, pinged timestamptz, retried timestamptz, "end" text)),
made as (
  select * from json_to_recordset($3) as made (
    id text, number bigint, at float8, "eventId" text, status smallint, error text, "durationMs" int, "responseBody" text)),
locked as (
  select webhooks.id, leased_by is not null as is_held from webhooks join given using (id)
  where leased_by = $1 or (leased_by is null and webhooks.moves = given.revision
    and given.sequence >= webhooks.sequence and given.attempts >= webhooks.attempts)
  for no key update of webhooks skip locked),
renewed as (
  update webhooks set
    state = case when is_held and given."end" = 'disabled' then 'disabled' else state end,
    has_succeeded = has_succeeded or (is_held and given."hasSucceeded"),
    sequence = given.sequence, mark = given."pageToken", attempts = given.attempts,
    failing_since = case when is_held then to_timestamp(given."failingSince" / 1000) else webhooks.failing_since end,
    failures = case when is_held then given.failures else webhooks.failures end,
    next_attempt_at = case
      when is_held and given."nextAttemptAt" is not null and retry_at is distinct from given.retried
      then least(to_timestamp(given."nextAttemptAt" / 1000), retry_at)
      when is_held then to_timestamp(given."nextAttemptAt" / 1000)
      else webhooks.next_attempt_at end,
    ping_requested_at = nullif(ping_requested_at, given.pinged),
    leased_by = case when given."end" is null then leased_by end,
    leased_until = case
      when is_held and given."end" is null then clock_timestamp() + interval '5 seconds'
      when is_held then clock_timestamp()
      else leased_until end
  from given join locked using (id),
  lateral (
    select not exists (
      select from (select mark from feed_pages where first <= given.sequence order by first desc limit 1) as page
      where mark <> given."pageToken") as is_known) as place
  where webhooks.id = given.id
    and (is_known or (webhooks.sequence, webhooks.mark) = (given.sequence, given."pageToken"))
  returning webhooks.id, ping_requested_at, retry_at),
stored as (
  insert into webhook_attempts (webhook_id, place, at, event_id, status, error, duration_ms, response_body)
  select id, number % 100, to_timestamp(at / 1000), "eventId", status, error, "durationMs", "responseBody"
  from made join renewed using (id)
  on conflict (webhook_id, place) do update set
    at = excluded.at, event_id = excluded.event_id, status = excluded.status, error = excluded.error,
    duration_ms = excluded.duration_ms, response_body = excluded.response_body),
forgotten as (
  update webhook_attempts as old set response_body = null
  from made join renewed using (id)
  where webhook_id = id and place = (number - 20) % 100 and old.response_body is not null
    and not exists (select from made as newer where newer.id = webhook_id and newer.number % 100 = place))
select given.id, coalesce(leased_by = $1, false) as "isHeld", renewed.id is not null as "isRenewed",
       renewed.ping_requested_at::text as "pingRequestedAt", renewed.retry_at::text as "retryAt",
       (extract(epoch from renewed.retry_at - clock_timestamp()) * 1000)::float8 as "retryInMs"
from given left join webhooks on webhooks.id = given.id left join renewed on renewed.id = given.id;

-- webhooks.requestPing
update webhooks set ping_requested_at = clock_timestamp() where id = $1 returning id;

-- webhooks.requestRetry
with wanted as (
  select id, case when next_attempt_at <= retry_at then retry_at
      else greatest(clock_timestamp(), retry_at + interval '10 seconds') end as at from webhooks
  where id = $1 and state = 'active' and next_attempt_at is not null for no key update),
requested as (
  update webhooks set retry_at = wanted.at, next_attempt_at = least(next_attempt_at, wanted.at)
  from wanted where webhooks.id = wanted.id returning webhooks.id)
select state, exists (select from requested) as "isRequested" from webhooks where id = $1;

-- webhooks.rotate
    with changed as (
      update webhooks set
        secret_number = secret_number + 1,
        old_secret_ends_at = now() + make_interval(secs => $2),
        changed_by = $3,
        leased_by = null,
leased_until = case when leased_until > now() then least(leased_until, now() + interval '2000 milliseconds') end
      where id = $1 returning *)
    select id, name, url, string_to_array(types, ' ') as types, state, case when state = 'paused' then reason end as reason,
created_at as "createdAt", created_by as "createdBy", changed_by as "changedBy", secret_number as "secretNumber",
case when old_secret_ends_at > now() then old_secret_ends_at end as "oldSecretEndsAt",
sequence, failing_since as "failingSince", failures, next_attempt_at as "nextAttemptAt",
(select to_json(last) from (
   select at, event_id as "eventId", status, error, duration_ms as "durationMs", response_body as "responseBody" from webhook_attempts where webhook_id = webhooks.id order by at desc, place desc limit 1
 ) as last) as "lastAttempt" from changed as webhooks;

-- webhooks.storeKey
insert into idempotency_keys (api_key_id, chain_id, operation, key, attempt, fingerprint, pet_id)
values ($1, $2, $3, $4, $5, decode($6, 'hex'), $7);

-- webhooks.update
    with changed as (
      update webhooks set
        name = case when $9::boolean then $10 else name end,
        url = coalesce($2, url),
        types = case when $3::boolean then $4 else types end,
        state = coalesce($5, state),
        reason = case when $5 is null then reason end,
        changed_by = coalesce($8, changed_by),
        has_succeeded = has_succeeded and coalesce($2 = url, true),
        sequence = coalesce($6, sequence),
        mark = coalesce($7, mark),
        moves = moves + ($6::bigint is not null or ($3::boolean and types is distinct from $4))::int,
        failing_since = case when ($5 = 'active' or $6::bigint is not null or $2 <> url) then null else failing_since end,
        failures = case when ($5 = 'active' or $6::bigint is not null or $2 <> url) then 0 else failures end,
        next_attempt_at = case when ($5 = 'active' or $6::bigint is not null or $2 <> url) then null else next_attempt_at end,
        leased_by = null,
leased_until = case when leased_until > now() then least(leased_until, now() + interval '2000 milliseconds') end
      where id = $1 returning *)
    select id, name, url, string_to_array(types, ' ') as types, state, case when state = 'paused' then reason end as reason,
created_at as "createdAt", created_by as "createdBy", changed_by as "changedBy", secret_number as "secretNumber",
case when old_secret_ends_at > now() then old_secret_ends_at end as "oldSecretEndsAt",
sequence, failing_since as "failingSince", failures, next_attempt_at as "nextAttemptAt",
(select to_json(last) from (
   select at, event_id as "eventId", status, error, duration_ms as "durationMs", response_body as "responseBody" from webhook_attempts where webhook_id = webhooks.id order by at desc, place desc limit 1
 ) as last) as "lastAttempt" from changed as webhooks;

-- words.addAll
with later as (delete from words_versions where version > $1)
insert into word_ranges (last_id, reached) select coalesce(pg_sequence_last_value('pets_id_seq'), 0), coalesce(pg_sequence_last_value('pets_id_seq'), 0) - coalesce(pg_sequence_last_value('pets_id_seq'), 0) % 9000000000000000;

-- words.addPart
with added as (
  insert into pet_words (word, pet_id)
  select word, id from unnest(string_to_array($1, e'\n'), $2::bigint[]) as pets (word, id)
  order by word collate "C", id on conflict do nothing),
moved as (update word_ranges set reached = $4::bigint where id = $3 and $4::bigint is not null)
delete from word_ranges where id = $3 and $4::bigint is null;

-- words.addPresent
insert into pet_words (word, pet_id)
select word, id from unnest(string_to_array($1, e'\n'), $2::bigint[]) as pets (word, id)
order by word collate "C", id on conflict do nothing;

-- words.addRange
insert into word_ranges (last_id, reached) values ($1, $2);

-- words.addUnworded
with added as (
  insert into pet_words (word, pet_id)
  select word, id from unnest(string_to_array($1, e'\n'), $2::bigint[]) as pets (word, id)
  order by word collate "C", id on conflict do nothing)
update pets set worded = true where id = any ($3::bigint[]);

-- words.due
select exists (select from words_versions where version > $1) as later,
       not exists (select from words_versions where version = $1) as version,
       exists (select from pets where not worded) as pets,
       exists (select from stale_names) as names,
       exists (select from word_ranges) as ranges;

-- words.left
select case when true then (
select coalesce(sum(last_id - reached), 0)::float8
       + (select count(*) from (select from pets where not worded order by id limit 1000) as unworded)::float8
from word_ranges) end as left, (select (coalesce(pg_sequence_last_value('pets_id_seq'), 0) % 9000000000000000)::float8) as last;

-- words.nextPets
with range as (select id, reached, last_id from word_ranges order by last_id - reached, id limit 1)
select range.id as range, pets.*
from range, lateral (
  select string_agg(coalesce(id::text, ''), ',') as "id", json_agg(name) as "name"
  from (
    select id, name from pets where pets.id > reached and pets.id <= last_id order by pets.id limit 1000) as pets) as pets;

-- words.noteVersion
with added as (insert into words_versions values ($1) on conflict do nothing returning 1)
insert into word_ranges (last_id, reached) select coalesce(pg_sequence_last_value('pets_id_seq'), 0), coalesce(pg_sequence_last_value('pets_id_seq'), 0) - coalesce(pg_sequence_last_value('pets_id_seq'), 0) % 9000000000000000 from added;

-- words.remove
delete from pet_words using unnest(string_to_array($1, e'\n'), $2::bigint[]) as pets (word, id)
where pet_words.word = pets.word collate "C" and pet_id = id;

-- words.removed
delete from stale_names where ctid = any ($1::tid[]);

-- words.stale
with stale as materialized (select ctid, pet_id, name from stale_names limit 200),
locked as materialized (
  select id, name from pets where id = any (array(select pet_id from stale))
  order by id for no key update skip locked)
select stale.ctid::text as row, pet_id as id, stale.name, locked.name as present
from stale left join locked on locked.id = pet_id
where locked.id is not null or (select true from pets where pets.id = pet_id) is null;

-- words.unworded
select id, name from pets where not worded order by id limit 500 for no key update skip locked;

-- (not prepared)
    select head, name, bytes::float8, sha256, lines::float8, added::float8, refused::float8 as rejected,
started_at as "startedAt", updated_at as "updatedAt",
finished_at as "finishedAt", version from imports where head = $1 or (name = $2 and finished_at is null)
    order by head = $1 desc limit 1 for update;

-- (not prepared)
analyze pets;

-- (not prepared)
begin;

-- (not prepared)
commit;

-- (not prepared)
copy (select '{"id":' || id || ',"name":' || to_json(name) || ',"categoryId":' || category_id
|| coalesce(',"status":"' || status || '"', '') || '}' from pets order by id) to stdout (format csv, delimiter e'\x01', quote e'\x02');

-- (not prepared)
copy (select '{"id":' || id || ',"name":' || to_json(name) || '}' from categories order by id) to stdout (format csv, delimiter e'\x01', quote e'\x02');

-- (not prepared)
copy (select id, name, category_id as "categoryId", status from pets order by id) to stdout (format csv, header);

-- (not prepared)
copy pets (name, category_id, status, worded) from stdin;

-- (not prepared)
delete from deliverers where id = $1;

-- (not prepared)
delete from imports where head = $1 and version = $2 returning head;

-- (not prepared)
insert into events (pet_id, version, type, added, id_ranges)
select 0, coalesce(max(version), 0) + 1, 'pets.imported', $1, $2 from events where pet_id = 0;

-- (not prepared)
listen "api_keys_changed";

-- (not prepared)
listen "petstore_feed";

-- (not prepared)
lock table api_keys in share row exclusive mode;

-- (not prepared)
lock table pets,orders,events,feed_pages,categories,idempotency_keys,imports,import_ranges,pet_words,stale_names,word_ranges,deprecated_calls,webhook_attempts in access exclusive mode;

-- (not prepared)
rollback;

-- (not prepared)
select 1 from pg_stat_activity
where wait_event = 'SyncRep' and datname = current_database() and usename = current_user
  and query_start < clock_timestamp() - interval '1000 milliseconds' limit 1;

-- (not prepared)
select active as "isActive", wal_status as "walStatus" from pg_replication_slots where slot_name = 'backup';

-- (not prepared)
select clock_timestamp() as now;

-- (not prepared)
select coalesce(pg_sequence_last_value('pets_id_seq'), 0) as id;

-- (not prepared)
select concat_ws(' ', first + greatest(cardinality(pet_ids), 1) - 1, mark, epoch) as head from feed_pages order by first desc limit 1;

-- (not prepared)
select count(*)::int as all, count(*) filter (where state = 'active' and coalesce(leased_until, created_at) < now() - interval '30 seconds')::int as undelivered,
       count(*) filter (where state = 'disabled')::int as disabled,
       count(*) filter (where state = 'paused' and reason is not null)::int as paused,
       count(*) filter (where state = 'active' and failing_since < now() - interval '30 minutes')::int as failing
from webhooks;

-- (not prepared)
select current_setting('max_connections')::int as most,
       current_setting('superuser_reserved_connections')::int +
       coalesce(current_setting('reserved_connections', true)::int, 0) as reserved,
       (select count(*)::int from pg_stat_activity
        where datid is not null and coalesce(backend_type, 'client backend') = 'client backend') as open;

-- (not prepared)
select from webhooks order by id for no key update;

-- (not prepared)
select head, name, bytes::float8, sha256, lines::float8, added::float8, refused::float8 as rejected,
started_at as "startedAt", updated_at as "updatedAt",
finished_at as "finishedAt", version from imports order by updated_at desc limit 500;

-- (not prepared)
select n_live_tup::float8 as pets from pg_stat_user_tables where relid = 'pets'::regclass;

-- (not prepared)
select name, checksum from schema_migrations;

-- (not prepared)
select pg_advisory_xact_lock($1);

-- (not prepared)
select pg_backend_pid() as pid, set_config('enable_seqscan', 'off', false);

-- (not prepared)
select pg_logical_emit_message(true, 'petstore', 'replay');

-- (not prepared)
select pg_try_advisory_lock($1) as taken;

-- (not prepared)
select relation, privilege, "column"
from unnest($1::text[], $2::text[], $3::text[]) with ordinality as needed (relation, privilege, "column", position)
left join pg_attribute on attrelid = to_regclass(relation) and attname = "column"
where not case
  when privilege = 'usage' then has_sequence_privilege(to_regclass(relation)::oid, privilege)
  when "column" is null then has_table_privilege(to_regclass(relation)::oid, privilege)
  else has_column_privilege(to_regclass(relation)::oid, attnum, privilege) end
order by position;

-- (not prepared)
select to_regclass('schema_migrations') is null as missing;

-- (not prepared)
set local enable_seqscan = off;

-- (not prepared)
set local idle_in_transaction_session_timeout = 5000;

-- (not prepared)
set lock_timeout = 300;

-- (not prepared)
truncate pets,orders,events,feed_pages,categories,idempotency_keys,imports,import_ranges,pet_words,stale_names,word_ranges,deprecated_calls,webhook_attempts;

-- (not prepared)
update events set name = $2 where pet_id = $1 and name <> $2 returning version;

-- (not prepared)
update events set previous_name = $2 where pet_id = $1 and previous_name <> $2;

-- (not prepared)
update idempotency_keys set fingerprint = sha256(convert_to(gen_random_uuid()::text, 'UTF8'))
from (select at from events where pet_id = $1 and version = 1) as created (at)
where created_at between at - interval '1 minute' and at + interval '1 minute' and pet_id = $1 and operation = $2;

-- (not prepared)
update idempotency_keys set fingerprint = sha256(convert_to(gen_random_uuid()::text, 'UTF8'))
from (select timestamptz 'epoch' + (id >> 21) * interval '1 millisecond' from (values ($1::bigint)) as placed (id)) as created (at)
where created_at between at - interval '1 minute' and at + interval '1 minute' and pet_id = $1 and operation = $2;

-- (not prepared)
update orders set reference = null where pet_id = $1 and id = $2 returning id;

-- (not prepared)
update webhook_attempts set response_body = null where response_body is not null;

-- (not prepared)
with
last as materialized (
  select first + greatest(cardinality(pet_ids), 1) as next, snapshot, mark, epoch, system, transaction, xmin as row_transaction, last_pet_id
  from feed_pages order by first desc limit 1)
select coalesce(extract(epoch from clock_timestamp() - min(at)), 0)::float8 as seconds from events
where transaction >= (select pg_snapshot_xmin(snapshot) from last)
  and not pg_visible_in_snapshot(transaction, (select snapshot from last)) and age(events.xmin) between 0 and age(transaction::xid);

-- (not prepared)
with
last as materialized (
  select first + greatest(cardinality(pet_ids), 1) as next, snapshot, mark, epoch, system, transaction, xmin as row_transaction, last_pet_id
  from feed_pages order by first desc limit 1),
found as materialized (
  select *, case when
  system <> system_identifier or row_transaction <> transaction::xid
    or pg_snapshot_xmax(snapshot) > pg_snapshot_xmax(pg_current_snapshot()) then 'restored' when exists (
  select from (
    select id from pets
    where id > (
      select coalesce(
        (select last_pet_id from feed_pages where first >= (select epoch from last) order by first limit 1),
        (select last_pet_id from last)))
    order by id desc limit 10000) as newest
  where not exists (select from events where pet_id = newest.id)
    and not exists (select from import_ranges where newest.id <@ ids)
    and not exists (select from events where pet_id = 0 and (id_ranges is null or newest.id <@ id_ranges))) then 'unrecorded' end as reason from last, pg_control_system()),
begun as (
  insert into feed_pages (first, pet_ids, versions, snapshot, mark, epoch, system, last_pet_id)
  select next, '{}', '{}', pg_current_snapshot(), floor(random() * 9e15)::bigint, next, system_identifier, coalesce(pg_sequence_last_value('pets_id_seq'), 0)
  from found where reason is not null
  on conflict do nothing returning *)
select reason, coalesce((select pg_notify('petstore_feed', concat_ws(' ', first + greatest(cardinality(pet_ids), 1) - 1, mark, epoch))::text = '' from begun), false) as "isBegun"
from found;

-- (not prepared)
with stale as (delete from stale_names where pet_id = $1 returning name)
select name from stale union select name from events where pet_id = $1 and name <> $2;

-- (not prepared)
with taken as (delete from import_ranges where head = $1 returning ids, added)
select lower(ids) as first, upper(ids) - 1 as last, added::float8 from taken order by ids;
