import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  chmodSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { gunzipSync, gzipSync } from 'node:zlib'
import { createDatabase } from '../support/database.ts'
import { manyLines } from '../support/pet-lines.ts'
import { launch, petstore } from '../support/process.ts'

const { url, pool } = await createDatabase()
const env = { DATABASE_URL: url }
const directory = mkdtempSync(join(tmpdir(), 'petstore-import-'))
after(() => rmSync(directory, { recursive: true }))
beforeEach(() => pool.query('truncate pets, imports restart identity'))

function file(name: string, content: string | Buffer = '') {
  const path = join(directory, name)
  if (content.length > 0) writeFileSync(path, content)
  return path
}

async function assertDone(...args: string[]) {
  const { code, stdout, stderr } = await petstore(args, env)
  assert.equal(code, 0, stderr)
  return stdout
}

async function assertFails(args: string[], message: RegExp, expected = 1) {
  const { code, stderr } = await petstore(args, env)
  assert.equal(code, expected, stderr)
  assert.match(stderr, message)
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
  assert.match(added.stdout, /^Read 17 lines: added 17 pets, rejected 0 \(\d\.\d s, [\d,]+ lines\/s\)\.\n$/)
  const { rows } = await pool.query<{ name: string; category: string }>(
    'select name, category_id::text as category from pets order by id',
  )
  assert.deepEqual(
    rows.map(({ name }) => name),
    NAMES,
  )
  assert.deepEqual(rows[0]!.category, '-9223372036854775808')

  await assertFails(
    ['import', file('pets.ndjson')],
    /pets\.ndjson is imported already.* 17 lines, 17 pets added, finished at \d{4}-\d\d-\d\d \d\d:\d\d UTC\. .* add --again\.\n$/,
  )

  await assertDone('export', file('pets.csv.gz'))
  const csv = gunzipSync(readFileSync(file('pets.csv.gz'))).toString()
  assert.ok(csv.startsWith('id,name,categoryId,status\n1,Rex,-9223372036854775808,available\n'), csv)

  await pool.query('truncate pets, imports restart identity')
  await assertDone('import', file('pets.csv.gz'))
  const printed = await petstore(['export'], env)
  assert.equal(printed.stdout, ndjson)
  assert.match(printed.stderr, /^Wrote 17 pets \(/)
  assert.deepEqual(
    readdirSync(directory).filter((name) => name.endsWith('.part')),
    [],
  )
})

test('versions and orders are not exported; an import makes every pet at version 1, and changes none that exists', async () => {
  await assertDone('import', file('versions.ndjson', `${PETS.slice(0, 4).join('\n')}\n`))
  const plain = await petstore(['export'], env)
  await pool.query(`update pets set version = version + id, held_by = case when status = 'pending' then 42 end`)
  assert.equal((await petstore(['export'], env)).stdout, plain.stdout)
  await assertDone('export', file('versions.csv'))
  assert.ok(readFileSync(file('versions.csv'), 'utf8').startsWith('id,name,categoryId,status\n'))

  await assertDone('import', file('versions.csv'), '--again')
  const { rows } = await pool.query<{ version: string; heldBy: string | null }>(
    'select version, held_by as "heldBy" from pets order by id',
  )
  const held = (id: number) => (id === 2 ? '42' : null)
  const before = [1, 2, 3, 4].map((id) => ({ version: String(1 + id), heldBy: held(id) }))
  assert.deepEqual(rows, [...before, ...before.map(() => ({ version: '1', heldBy: null }))])
})

test('a file of which no line is stored says so, and names columns of a line, not lines of it', async () => {
  const { code, stderr } = await petstore(['import', '-'], { DATABASE_URL: url }, '{\n"name": "Rex"\n}\n')
  assert.equal(code, 3)
  assert.match(stderr, /line 1: The line is not valid JSON: it ends too early \(column 2\)\.\n/)
  assert.match(stderr, /No line was stored\. Fix the file, then run the same command\./)
})

test('bad lines of standard input are reported on standard error and by the exit code', async () => {
  const input = 'name,categoryId,status\nRex,1,sold\nRex,one,\nRex,1,\u009b31m\nMomo,2,\n'
  const { code, stdout, stderr } = await petstore(['import', '-', '--format', 'csv'], env, input)
  assert.equal(code, 3)
  assert.equal(
    stderr,
    'line 3: `categoryId` must be an integer from -9223372036854775808 to 9223372036854775807; got "one".\n' +
      'line 4: `status` must be one of available, pending, sold; got "?31m".\n' +
      'The other lines are stored. Fix only the 2 rejected lines, in a separate file, and import that file: importing ' +
      'this one again would add the stored lines twice. Next time, collect them with --rejects FILE.\n',
  )
  assert.match(stdout, /^Read 4 lines: added 2 pets, rejected 2 /)
  assert.deepEqual(await countPets(), { pets: 2, names: 2 })
})

test('strict stops at the first bad line and says what is kept', async () => {
  const path = file('strict.jsonl', `${PETS[0]}\n{}\n[]\n`)
  await assertFails(['import', '--strict', path], /^petstore: Stopped at the first rejected line.*\nNothing was added/m)
  assert.deepEqual(await countPets(), { pets: 0, names: 0 })
})

test('killed or interrupted at any point, an import resumes with the same command: no pet is lost or added twice', async () => {
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
    /petstore: Stopped\.\nImported up to line [\d,]+ \([\d,]+ pets added, 1 line rejected\)\. Run the same command to resume\.\n$/,
  )

  const killed = launch(['import', '-'], env)
  killed.stdin.write(lines.slice(0, 1_200).join('\n'))
  await untilStored(1_000)
  killed.kill('SIGKILL')
  await once(killed, 'close')
  assert.match(killed.output.stderr, /^Resuming after line [\d,]+:/)

  const { code, stdout, stderr } = await petstore(['import', path], env)
  assert.equal(code, 3, stderr)
  assert.match(
    stderr,
    /^Resuming after line 1,\d{3}: everything before it is imported already\.\nThe other lines are stored\./,
  )
  assert.match(
    stdout,
    /^Read 1,600 lines: added 1,599 pets, rejected 1 .*; 1,\d{3} lines imported by an earlier run\)\.\n$/,
  )
  assert.deepEqual(await countPets(), { pets: 1_599, names: 1_599 })
})

/** So many pets are committed. Asks at the pace of pg_sleep, to leave the processor to the import. */
async function untilStored(pets: number) {
  const question = 'select pg_sleep(0.02), (select added::int from imports) as added'
  const added = async () => (await pool.query<{ added: number | null }>(question)).rows[0]?.added ?? 0
  while ((await added()) < pets);
}

test('a truncated file is reported, and can be imported when it is complete', async () => {
  const packed = gzipSync(manyLines(20, 'cut').join('\n'))
  const path = file('cut.jsonl.gz', packed.subarray(0, -10))
  await assertFails(
    ['import', path],
    /cut\.jsonl\.gz is truncated or not gzip \(unexpected end of file\)\.\nNothing was added/,
  )
  writeFileSync(path, packed)
  await assertDone('import', path)
  assert.deepEqual(await countPets(), { pets: 20, names: 20 })
})

test('rejected lines are written as they were, fixed there and imported: every pet exists once', async () => {
  const csv = ['name,categoryId', 'Rex,1', '"Mo, mo",two', 'Nemo,3', ',4'].map((line) => `${line}\r\n`).join('')
  const [path, rejects] = [file('shop.csv', csv), file('shop-rejects.csv')]
  const first = await petstore(['import', path, '--rejects', rejects], env)
  assert.equal(first.code, 3)
  assert.ok(
    first.stderr.endsWith(
      `Wrote 2 rejected lines to ${rejects}. Fix them there, then run: petstore import ${rejects}\n`,
    ),
  )
  assert.equal(readFileSync(rejects, 'utf8'), 'name,categoryId\r\n"Mo, mo",two\r\n,4\r\n')
  assert.equal(statSync(rejects).mode & 0o777, 0o600)

  writeFileSync(rejects, readFileSync(rejects, 'utf8').replace('two', '2').replace(/^,4/m, 'Polly,4'))
  await assertDone('import', rejects)
  assert.deepEqual(await countPets(), { pets: 4, names: 4 })
})

test('rejected lines are all in their file also when the import was killed on the way', async () => {
  const lines = manyLines(1_600)
  for (const bad of [10, 900, 1_500]) lines[bad] = `{"bad":${bad}}`
  const path = file('killed.ndjson', `${lines.join('\n')}\n`)
  const killed = launch(['import', '-'], env)
  killed.stdin.write(lines.slice(0, 1_200).join('\n'))
  await untilStored(1_000)
  killed.kill('SIGKILL')
  await once(killed, 'close')
  const rejects = file('killed-rejects.ndjson')
  assert.equal((await petstore(['import', path, '--rejects', rejects], env)).code, 3)
  assert.equal(readFileSync(rejects, 'utf8'), '{"bad":10}\n{"bad":900}\n{"bad":1500}\n')
  assert.deepEqual(await countPets(), { pets: 1_597, names: 1_597 })
})

test('a dry run stores nothing, and collects the rejected lines also of a file that is imported', async () => {
  const path = file('dry.ndjson', `${PETS[0]}\n{}\n`)
  const rejects = file('dry-rejects.ndjson')
  const dry = await petstore(['import', path, '--dry-run'], env)
  assert.equal(dry.code, 3)
  assert.match(dry.stdout, /^Read 2 lines: would add 1 pet, rejected 1 \(/)
  assert.match(dry.stderr, /\nNothing was stored\. Fix the rejected lines/)
  assert.deepEqual(await countPets(), { pets: 0, names: 0 })
  assert.equal((await petstore(['import', path], env)).code, 3)
  await assertFails(['import', path, '--dry-run', '--rejects', rejects], /dry\.ndjson is imported already/)
  assert.equal(readFileSync(rejects, 'utf8'), '{}\n')
  assert.deepEqual(await countPets(), { pets: 1, names: 1 })
})

test('--rejects replaces no file, and creates none if no line is rejected', async () => {
  const path = file('fine.ndjson', `${PETS[0]}\n`)
  const taken = file('taken.ndjson', 'precious')
  await assertFails(['import', path, '--rejects', taken], /taken\.ndjson exists already/)
  await assertFails(['import', path, '--rejects', 'a.csv.gz'], /--rejects writes plain text/, 2)
  assert.equal(readFileSync(taken, 'utf8'), 'precious')
  assert.deepEqual(await countPets(), { pets: 0, names: 0 })
  await assertDone('import', path, '--rejects', file('none.ndjson'))
  assert.deepEqual(
    readdirSync(directory).filter((name) => /none|part$/.test(name)),
    [],
  )
})

test('of many rejected lines the first twenty are listed and the others counted', async () => {
  const { code, stderr, stdout } = await petstore(['import', '-'], env, '\n'.repeat(50_000))
  assert.equal(code, 3)
  // On a busy machine lines of progress come between.
  const reported = stderr.split('\n').filter((line) => !/^\d[\d,]* lines/.test(line))
  assert.equal(reported[19], 'line 20: The line is empty; each line must hold one pet.')
  assert.deepEqual(reported.slice(20, 22), [
    '… Further rejected lines are counted, not listed.',
    '… and 49,980 more rejected lines.',
  ])
  assert.equal(reported.length, 24)
  assert.match(stdout, /^Read 50,000 lines: added 0 pets, rejected 50,000 /)
})

test('--status lists what was begun and what is finished', async () => {
  assert.match(await assertDone('import', '--status'), /^No import was begun yet/)
  assert.equal((await petstore(['import', file('listed.ndjson', `${PETS[0]}\n{}\n`)], env)).code, 3)
  await pool.query(
    `insert into imports (head, bytes, sha256, lines, added, refused) values ('x', 9, '', 1200, 1100, 100)`,
  )
  const [head, begun, done] = (await assertDone('import', '--status')).split('\n')
  assert.match(head!, /^FILE +STATE +LINES +ADDED +REJECTED +STARTED +UPDATED$/)
  assert.match(begun!, /^\(standard input\) +unfinished +1,200 +1,100 +100 +\d{4}-/)
  assert.match(done!, /listed\.ndjson +finished +2 +1 +1 +\d{4}-/)
})

test('--status does not count the header of a CSV file, and --json prints it for scripts', async () => {
  const path = file('header.csv', 'name,categoryId,status\nRex,1,\nMomo,two,\n')
  assert.equal((await petstore(['import', path], env)).code, 3)
  const { code, stdout } = await petstore(['import', '--status', '--json'], env)
  assert.equal(code, 0)
  const [{ startedAt, updatedAt, ...counted }] = JSON.parse(stdout) as [Record<string, unknown>]
  assert.deepEqual(counted, { file: path, state: 'finished', lines: 2, added: 1, rejected: 1 })
  for (const time of [startedAt, updatedAt]) assert.match(String(time), /^\d{4}-\d\d-\d\dT.*Z$/)

  const repeated = await petstore(['import', path], env)
  assert.match(repeated.stderr, /header\.csv, 2 lines, 1 pet added, finished at/)
  assert.match((await petstore(['import', path, '--json'], env)).stderr, /--json needs --status/)
})

test('export replaces a file only with --force, keeps its mode then, and follows no link', async () => {
  await assertDone('import', file('one.ndjson', `${PETS[0]}\n`))
  const target = file('out.ndjson', 'precious')
  await assertFails(['export', target], /out\.ndjson exists already\. Choose another name, or replace it with --force/)
  assert.equal(readFileSync(target, 'utf8'), 'precious')
  for (const mode of [0o600, 0o640]) {
    chmodSync(target, mode)
    await assertDone('export', target, '--force')
    assert.equal(statSync(target).mode & 0o777, mode)
    assert.equal(readFileSync(target, 'utf8'), `${PETS[0]}\n`)
  }
  await assertDone('export', file('new.ndjson'))
  assert.equal(statSync(file('new.ndjson')).mode & 0o777, 0o600)

  const victim = file('victim', 'precious')
  symlinkSync(victim, file('trap.ndjson.part'))
  await assertFails(['export', file('trap.ndjson')], /trap\.ndjson\.part exists: another command is writing it/)
  assert.equal(readFileSync(victim, 'utf8'), 'precious')
})

test('an invalid command line is rejected before anything is opened', async () => {
  await assertFails(['import'], /Name one file, or - for standard input/, 2)
  await assertFails(['import', 'a.csv', 'b.csv'], /Name one file, or -/, 2)
  await assertFails(['import', 'pets.txt'], /The format of "pets\.txt" is not clear\. Use a name that ends with/, 2)
  await assertFails(['export', 'pets'], /The format of "pets" is not clear/, 2)
  await assertFails(['export', '--format', 'xml'], /--format takes ndjson or csv/, 2)
  await assertFails(['export', 'a.csv', 'b.csv'], /Name one file at most/, 2)
})

test('a file that can be neither read nor written is reported by name', async () => {
  await assertFails(['import', 'nowhere.csv'], /Can't read nowhere\.csv: ENOENT/)
  await assertFails(['export', file('nowhere/pets.csv')], /Can't write .*pets\.csv: ENOENT/)
})
