import type pg from 'pg'
import { insertCategories } from './categories.ts'
import { until } from './until.ts'

// A shop as its staff know it: many pets of few categories, orders of weeks, people with names.

const CATEGORIES = ['Dogs', 'Cats', 'Birds', 'Rabbits', 'Hamsters', 'Fish', 'Turtles', 'Geckos']
export const DOGS = 1n
/** No more than a thousand of these, else their number is not said. Letters of ASCII, of which PostgreSQL makes the words. */
const NAMES =
  'Bella Luna Charlie Lucy Cooper Max Bailey Daisy Sadie Milo Buddy Molly Tucker Stella Bear Zoe Duke Maggie Jack Sophie Oliver Chloe Toby Penny Leo Coco Winston Ruby Finn Rosie Murphy Gracie Gus Lola Louie Hazel Oscar Willow Archie Ginger'.split(
    ' ',
  )

interface Shop {
  pets: number
  orders: number
  /** Of the orders. */
  open: number
  /** In which the others ended. */
  days: number
  keyId: string
}

/** In few statements. Three of five pets are available; of ten orders that ended, seven are sales. */
export async function fillShop(pool: pg.Pool, { pets, orders, open, days, keyId }: Shop) {
  const now = Date.now()
  await insertCategories(pool, CATEGORIES)
  // When an order was placed is in its id.
  await pool.query(
    `insert into orders (pet_id, id, version, status, expires_at, closed_at, reference, placed_by, chain_id, closed_by)
     select n, placed * 2097152 + n, case when status = 'placed' then 2 else 3 end, status,
            to_timestamp(placed / 1000.0) + case when status = 'placed' then n * interval '1 minute' + interval '20 minutes' else interval '15 minutes' end,
            case when status <> 'placed' then to_timestamp(placed / 1000.0) + interval '6 minutes' end,
            'web-' || n, $5, $5, case when status in ('completed', 'cancelled') then $5 end
     from (select n, case when n <= $2 then 'placed' else (array['completed', 'completed', 'cancelled', 'completed', 'completed', 'expired',
                    'completed', 'completed', 'cancelled', 'completed'])[1 + n % 10] end as status,
                  $4::bigint - case when n <= $2 then n * 1000 else 600000 + (n - $2) * ($3::bigint * 86400000 / ($1 - $2)) end as placed
           from generate_series(1, $1::int) as n) as orders`,
    [orders, open, days, now, keyId],
  )
  await pool.query(
    `with added as (
       insert into pets (name, category_id, status, version, held_by, worded)
       select ($2::text[])[1 + n % 40] || case when n < 2000 then '' else ' ' || n end, 1 + n % 8,
              case when orders.status = 'placed' then 'pending' when orders.status = 'completed' or orders.id is null and n % 5 < 2 then 'sold' else 'available' end,
              coalesce(orders.version, 1), case when orders.status = 'placed' then orders.id end, true
       from generate_series(1, $1::int) as n left join orders on pet_id = n order by n
       returning *),
     worded as (
       insert into pet_words (word, pet_id)
       select word, id from added, unnest(string_to_array(lower(name), ' ')) as word)
     insert into events (pet_id, version, type, name, category_id, status, key_id, at)
     select id, 1, 'pet.created', name, category_id, 'available', $3, to_timestamp($4::float8) - interval '40 days' from added`,
    [pets, NAMES, keyId, now / 1_000],
  )
  await pool.query(
    `insert into events (pet_id, version, type, name, category_id, status, changed, order_id, key_id)
     select pets.id, 2, 'order.placed', name, category_id, 'pending', 'status', held_by, $1 from pets where held_by is not null`,
    [keyId],
  )
  for (const table of ['pets', 'orders', 'events', 'pet_words']) await pool.query(`analyze ${table}`)
  // Events are in the feed when the service has given them their numbers.
  await until(async () => {
    const { rows } = await pool.query<{ count: number }>(
      'select coalesce(sum(cardinality(pet_ids)), 0)::int as count from feed_pages',
    )
    return (rows[0]?.count ?? 0) >= pets + open
  })
}
