import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { test } from 'node:test'
import { dangersIn, RULE_NAMES } from './support/ddl.ts'

// For each rule a file that it must refuse, and the same done as migrations/README.md asks for it.
const EXAMPLES: Record<string, { bad: string[]; good: string[] }> = {
  'index-blocks-writes': {
    bad: ['create index pets_name on pets (name)', 'CREATE UNIQUE INDEX pets_name\n  ON pets (name)'],
    good: [
      '-- no transaction\ndrop index concurrently if exists pets_name;\ncreate index concurrently pets_name on pets (name);',
      'create table toys (name text); create index toys_name on toys (name)',
    ],
  },
  'concurrently-in-transaction': {
    bad: [
      'drop index concurrently if exists a; create index concurrently a on pets (name)',
      '-- see below\n-- no transaction\ndrop index concurrently if exists pets_name',
    ],
    good: ['-- no transaction\ndrop index concurrently if exists pets_name;'],
  },
  'not-repeatable': {
    bad: [
      '-- no transaction\nalter table pets add column weight bigint;',
      '-- no transaction\ncreate table toys (id int);',
    ],
    good: [
      'alter table pets add column weight bigint',
      '-- no transaction\nalter table pets validate constraint heavy;',
    ],
  },
  'interrupted-index': {
    bad: [
      '-- no transaction\ncreate index concurrently pets_name on pets (name);',
      '-- no transaction\ncreate index concurrently if not exists pets_name on pets (name);',
      '-- no transaction\ndrop index concurrently if exists other;\ncreate unique index concurrently a on pets (name);',
      '-- no transaction\ncreate index concurrently a on pets (name);\ndrop index concurrently if exists a;',
    ],
    good: [
      '-- no transaction\ndrop index concurrently if exists a;\ncreate unique index concurrently a on pets (name);',
    ],
  },
  'rewriting-default': {
    bad: [
      'alter table pets add column tag uuid default gen_random_uuid()',
      'alter table pets add column seen timestamptz not null default clock_timestamp()',
      `alter table pets add rank bigint default nextval('ranks')`,
      'alter table pets add column one int default 1 + random()::int, add column two int',
    ],
    good: [
      `alter table pets add column colour text not null default 'grey; or not'`,
      'alter table pets add column seen timestamptz not null default now()',
      `alter table pets add column tags text[] default '{}'::text[], add column rank numeric default -1.5`,
    ],
  },
  'not-null-without-default': {
    bad: ['alter table pets add column colour text not null', 'alter table pets add a int, add b int not null'],
    good: ['alter table pets add column colour text', 'alter table pets add column legs int not null default 4'],
  },
  'constrained-column': {
    bad: [
      'alter table pets add column code text unique',
      'alter table pets add column owner bigint references owners (id)',
      'alter table pets add column legs int check (legs > 0)',
      'alter table pets add column twice bigint generated always as (id * 2) stored',
    ],
    good: [
      'alter table pets add column legs int, add constraint pets_legs check (legs > 0) not valid',
      'create table toys (id bigint primary key, code text unique, legs int check (legs > 0))',
    ],
  },
  'changed-type': {
    bad: ['alter table pets alter column name type varchar(80)', 'alter table pets alter name set data type text'],
    good: ['alter table pets add column long_name text'],
  },
  'set-not-null': {
    bad: ['alter table pets alter column status set not null'],
    good: ['alter table pets add constraint pets_have_status check (status is not null) not valid'],
  },
  'constraint-scans': {
    bad: [
      'alter table pets add constraint heavy check (weight > 0)',
      'alter table pets add foreign key (category_id) references categories (id)',
      'alter table pets add constraint one_name unique (name)',
    ],
    good: [
      'alter table pets add constraint heavy check ((weight > 0) or (weight is null)) not valid',
      'alter table pets add constraint one_name unique using index pets_name',
      'create table toys (id int); alter table toys add constraint some check (id > 0)',
    ],
  },
  'validated-too-early': {
    bad: ['alter table pets add constraint a check (id > 0) not valid; alter table pets validate constraint a'],
    good: ['alter table pets validate constraint a'],
  },
  renamed: {
    bad: [
      'alter table pets rename column name to title',
      'alter table pets rename to animals',
      'alter index a rename to b',
    ],
    good: ['alter table pets add column title text'],
  },
  'references-locks': {
    bad: ['create table toys (pet_id bigint references pets (id))'],
    good: [
      'create table toys (pet_id bigint)',
      'create table toys (id bigint primary key); create table parts (toy_id bigint references toys (id))',
    ],
  },
  'removed-too-early': {
    bad: [
      'alter table pets drop column status',
      'drop table imports',
      '-- contract: nobody needs it\ndrop table imports',
      'alter table pets add a int, drop constraint pets_name_check',
      'drop sequence pets_id_seq cascade',
      '-- contract: pets.status, unused since 1.4.0\ndrop table pets',
    ],
    good: [
      '-- contract: pets.status, unused since 1.4.0\nalter table pets drop column status',
      '-- contract: imports, unused since 1.4.0\ndrop table if exists imports',
      'alter table pets alter column status drop default',
    ],
  },
  'index-dropped-under-lock': {
    bad: ['drop index pets_sold', '-- contract: pets_sold, unused since 1.4.0\ndrop index if exists pets_sold'],
    good: ['-- no transaction\ndrop index concurrently if exists pets_sold;'],
  },
  'all-rows-at-once': {
    bad: [`update pets set status = 'sold'`, 'delete from imports where finished_at is not null'],
    good: [`create table kinds (name text); insert into kinds values ('cat'); update kinds set name = 'dog'`],
  },
  'own-transaction': { bad: ['begin; create table toys (id int); commit'], good: ['create table toys (id int)'] },
  'own-settings': { bad: [`set lock_timeout = 0; create table toys (id int)`], good: ['create table toys (id int)'] },
  'identity-or-trigger': {
    bad: [
      'create table toys (id bigserial primary key)',
      'create table toys (id bigint generated always as identity)',
      'create table toys (id int); create trigger t before insert on toys execute function f()',
    ],
    good: [`create sequence toys_id_seq; create table toys (id bigint default nextval('toys_id_seq'))`],
  },
  unknown: {
    bad: [
      'truncate imports',
      'lock table pets',
      'vacuum full pets',
      'cluster pets',
      'do $$ begin drop table pets; end $$',
    ],
    good: [`comment on table pets is 'do; drop table'`, 'analyze pets'],
  },
}

for (const [rule, { bad, good }] of Object.entries(EXAMPLES)) {
  for (const sql of bad)
    test(`a migration is rejected by the rule ${rule}: ${sql.replaceAll('\n', ' ')}`, () => {
      assert.ok(rulesBrokenBy(sql).includes(rule), dangersIn(sql).join('\n'))
    })
  for (const sql of good)
    test(`a migration is taken that keeps the rule ${rule}: ${sql.replaceAll('\n', ' ')}`, () => {
      assert.deepEqual(dangersIn(sql), [])
    })
}

test('every rule has an example that it rejects', () => {
  assert.deepEqual(Object.keys(EXAMPLES), RULE_NAMES)
})

const files = globSync('migrations/*.sql').toSorted()

test('every migration can be applied while the version before it serves', () => {
  assert.ok(files.length >= 4)
  assert.deepEqual(
    files.flatMap((file) => dangersIn(readFileSync(file, 'utf8')).map((danger) => `${file}: ${danger}`)),
    [],
  )
})

// As `sha256sum migrations/*.sql` prints it, so that `sha256sum --check` can tell, too. Written when a release is made.
const released = new Map(
  readFileSync('released/migrations.sha256', 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => line.split('  ') as [string, string])
    .map(([checksum, file]) => [file, checksum]),
)

test('a migration that was released is never changed or removed', () => {
  assert.ok(released.size >= 4)
  const now = Object.fromEntries([...released.keys()].map((file) => [file, hash('sha256', readFileSync(file, 'utf8'))]))
  assert.deepEqual(now, Object.fromEntries(released))
})

test('a new migration comes after all that were released, and no two have the same number', () => {
  const last = [...released.keys()].toSorted().at(-1) ?? ''
  const early = files.filter((file) => !released.has(file) && file <= last)
  assert.deepEqual(early, [])
  const numbers = files.map((file) => /^\d{4}(?=_[a-z0-9_]+\.sql$)/.exec(basename(file))?.[0])
  assert.equal(new Set(numbers).size, files.length)
  assert.ok(!numbers.includes(undefined))
})

function rulesBrokenBy(sql: string) {
  return dangersIn(sql).map((danger) => danger.split(':')[0])
}
