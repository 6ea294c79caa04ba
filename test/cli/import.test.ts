import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { exportCommand } from '../../src/cli/export.ts'
import { importCommand } from '../../src/cli/import.ts'
import { createDatabase } from '../support/database.ts'
import { manyLines } from '../support/pet-lines.ts'
import { launch, petstore } from '../support/process.ts'

const { url, pool } = await createDatabase()
const env = { DATABASE_URL: url }
// Where neither exit code nor output is looked at, a command runs in this process: that is three times as fast.
process.env['DATABASE_URL'] = url
const directory = mkdtempSync(join(tmpdir(), 'petstore-import-'))
after(() => rmSync(directory, { recursive: true }))
beforeEach(() => pool.query('truncate pets, imports restart identity'))

function file(name: string, content: string | Buffer = '') {
  const path = join(directory, name)
  if (content.length > 0) writeFileSync(path, content)
  return path
}

async function countPets() {
  const { rows } = await pool.query<{ pets: number; names: number }>(
    'select count(*)::int as pets, count(distinct name)::int as names from pets',
  )
  return rows[0]!
}

const NAMES = [
  'Rex',
  'O"Neil, the "cat"',
  '"',
  ',',
  '\\.',
  '\\N',
  '\\\\t back\\slash \\n',
  ' spaces around ',
  '{"name":"x"}',
  "Robert'); drop table pets;--",
  'Полли 🐢 \u{10FFFF}',
  'a\u2028b\u2029',
  'é e\u0301',
  '#comment',
  '\uFEFFmark',
  'x'.repeat(255),
  '🐢'.repeat(255),
]
const CATEGORIES = ['-9223372036854775808', '9223372036854775807', '9007199254740993', '0', '-1']
const PETS = NAMES.map((name, i) => {
  const status = ['available', 'pending', 'sold', undefined][i % 4]
  const end = status ? `,"status":"${status}"` : ''
  return `{"id":${i + 1},"name":${JSON.stringify(name)},"categoryId":${CATEGORIES[i % CATEGORIES.length]}${end}}`
})

test('what export writes, import reads: each name and each int64 as it was, through NDJSON, CSV and gzip', async () => {
  const ndjson = `${PETS.join('\n')}\n`
  const added = await petstore(['import', file('pets.ndjson', ndjson)], env)
  assert.equal(added.code, 0, added.stderr)
  assert.match(added.stdout, /^Read 17 lines: added 17 pets, refused 0 \(\d\.\d s, [\d,]+ lines\/s\)\.\n$/)
  const { rows } = await pool.query<{ name: string; category: string }>(
    'select name, category_id::text as category from pets order by id',
  )
  assert.deepEqual(
    rows.map(({ name }) => name),
    NAMES,
  )
  assert.deepEqual(rows[0]!.category, '-9223372036854775808')

  await assert.rejects(
    importCommand([file('pets.ndjson')]),
    /pets\.ndjson is imported already.* 17 lines, 17 pets added, finished at \d{4}-\d\d-\d\d \d\d:\d\d UTC\. .* add --again\.$/,
  )

  assert.equal(await exportCommand([file('pets.csv.gz')]), 0)
  const csv = gunzipSync(readFileSync(file('pets.csv.gz'))).toString()
  assert.ok(csv.startsWith('id,name,categoryId,status\n1,Rex,-9223372036854775808,available\n'), csv)

  await pool.query('truncate pets restart identity')
  assert.equal(await importCommand([file('pets.csv.gz')]), 0)
  const printed = await petstore(['export'], env)
  assert.equal(printed.stdout, ndjson)
  assert.match(printed.stderr, /^Wrote 17 pets \(/)
  assert.deepEqual(
    readdirSync(directory).filter((name) => name.endsWith('.part')),
    [],
  )
})

test('bad lines of standard input are told on standard error, and the exit code says that there were some', async () => {
  const input = 'name,categoryId,status\nRex,1,sold\nRex,one,\nRex,1,\u009b31m\nMomo,2,\n'
  const { code, stdout, stderr } = await petstore(['import', '-', '--format', 'csv'], env, input)
  assert.equal(code, 3)
  assert.equal(
    stderr,
    'line 3: `categoryId` must be an integer from -9223372036854775808 to 9223372036854775807; got "one".\n' +
      'line 4: `status` must be one of available, pending, sold; got "?31m".\n',
  )
  assert.match(stdout, /^Read 4 lines: added 2 pets, refused 2 /)
  assert.deepEqual(await countPets(), { pets: 2, names: 2 })
})

test('strict stops at the first bad line and says what is kept', async () => {
  const path = file('strict.jsonl', `${PETS[0]}\n{}\n[]\n`)
  await assert.rejects(
    importCommand(['--strict', path]),
    /^CommandError: Stopped at the first line .*\nNothing was added/,
  )
  assert.deepEqual(await countPets(), { pets: 0, names: 0 })
})

test('killed or interrupted at any point, an import goes on by the same command: no pet is lost, none comes twice', async () => {
  const lines = manyLines(1_600)
  lines[10] = '{}'
  const path = file('many.ndjson', `${lines.join('\n')}\n`)

  // Standard input that stays open keeps the import from ending by itself, whatever the speed of the machine.
  const interrupted = launch(['import', '-'], env)
  interrupted.stdin.write(lines.slice(0, 700).join('\n'))
  await untilStored(500)
  interrupted.kill('SIGINT')
  assert.deepEqual(await once(interrupted, 'close'), [1, null])
  assert.match(
    interrupted.output.stderr,
    /petstore: Stopped\.\nDone up to line [\d,]+ \([\d,]+ pets added, 1 line refused\): the same command goes on behind it\.\n$/,
  )

  const killed = launch(['import', '-'], env)
  killed.stdin.write(lines.slice(0, 1_200).join('\n'))
  await untilStored(1_000)
  killed.kill('SIGKILL')
  await once(killed, 'close')
  assert.match(killed.output.stderr, /^Going on behind line [\d,]+:/)

  const { code, stdout, stderr } = await petstore(['import', path], env)
  assert.equal(code, 3, stderr)
  assert.match(stderr, /^Going on behind line 1,\d{3}: what stands before it is imported already\.\n$/)
  assert.match(stdout, /^Read 1,600 lines: added 1,599 pets, refused 1 .*; 1,\d{3} lines had been done before\)\.\n$/)
  assert.deepEqual(await countPets(), { pets: 1_599, names: 1_599 })
})

/** So many pets are committed. Asks at the pace of pg_sleep, to leave the processor to the import. */
async function untilStored(pets: number) {
  const question = 'select pg_sleep(0.02), (select added::int from imports) as added'
  const added = async () => (await pool.query<{ added: number | null }>(question)).rows[0]?.added ?? 0
  while ((await added()) < pets);
}

test('a file that is cut off is told, and can be imported when it is whole', async () => {
  const packed = gzipSync(manyLines(20, 'cut').join('\n'))
  const path = file('cut.jsonl.gz', packed.subarray(0, -10))
  await assert.rejects(
    importCommand([path]),
    /cut\.jsonl\.gz is cut off, or not gzip \(unexpected end of file\)\.\nNothing was added/,
  )
  writeFileSync(path, packed)
  assert.equal(await importCommand([path]), 0)
  assert.deepEqual(await countPets(), { pets: 20, names: 20 })
})

test('a command line that can be understood in no way is refused before anything is opened', async () => {
  await assert.rejects(importCommand([]), /Name one file, or - for standard input/)
  await assert.rejects(importCommand(['a.csv', 'b.csv']), /Name one file, or -/)
  await assert.rejects(importCommand(['pets.txt']), /What is in "pets\.txt"\? Let its name end with/)
  await assert.rejects(exportCommand(['pets']), /What is in "pets"\?/)
  await assert.rejects(exportCommand(['--format', 'xml']), /--format takes ndjson or csv/)
  await assert.rejects(exportCommand(['a.csv', 'b.csv']), /Name one file at most/)
})

test('a file that can be neither read nor written is told by its name', async () => {
  await assert.rejects(importCommand(['nowhere.csv']), /Can't read nowhere\.csv: ENOENT/)
  await assert.rejects(exportCommand([file('nowhere/pets.csv')]), /Can't write .*pets\.csv: ENOENT/)
})
