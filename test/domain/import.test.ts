import assert from 'node:assert/strict'
import { beforeEach, test } from 'node:test'
import { type ImportOptions, importPets, StrictStop, tryImport } from '../../src/domain/import.ts'
import { joinRanges } from '../../src/domain/import-event.ts'
import { ImportConflict } from '../../src/domain/import-progress.ts'
import { connectForBulk } from '../../src/service.ts'
import { beginEpoch } from '../../src/storage/events/epoch.ts'
import { createDatabase } from '../support/database.ts'
import { manyLines } from '../support/pet-lines.ts'

const { url, pool } = await createDatabase()
beforeEach(() => pool.query('truncate pets, imports, import_ranges, events'))

interface Given extends Partial<ImportOptions> {
  name?: string | null
  format?: 'ndjson' | 'csv'
  pieceBytes?: number
  /** The input fails after so many of its pieces. */
  breakAfter?: number
  /** What the second piece waits for: by then the import knows how far it has come, and has stored nothing. */
  midway?: () => Promise<unknown>
  dryRun?: boolean
}

/** Imports a text, and says what came of it. */
async function run(text: string | Buffer, given: Given = {}) {
  const { name = null, format = 'ndjson', pieceBytes = 100_000, breakAfter, midway, dryRun, ...options } = given
  const bytes = Buffer.from(text)
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += pieceBytes) {
      if (at === pieceBytes) await midway?.()
      if (at / pieceBytes === breakAfter) throw new Error('the input broke off')
      yield bytes.subarray(at, at + pieceBytes)
    }
    return undefined
  }
  const { db, lineFormats } = await connectForBulk(url)
  await using _connection = db
  const rejected: [line: number, reason: string][] = []
  const stored: number[] = []
  const input = { name, format: lineFormats[format], pieces: pieces() }
  const events: ImportOptions = {
    again: false,
    strict: false,
    onResumed: () => {},
    onRejected: (line, reason) => rejected.push([line, reason]),
    onRead: () => {},
    onStored: ({ lines }) => stored.push(lines),
    ...options,
  }
  if (dryRun) return { ...(await tryImport({ db }, input, events)), rejected, stored }
  return { state: await importPets({ db }, input, events), rejected, stored, conflict: undefined }
}

async function names() {
  const { rows } = await pool.query<{ name: string }>('select name from pets order by id')
  return rows.map(({ name }) => name)
}

function conflict(reason: ImportConflict['reason']) {
  return (error: unknown) => error instanceof ImportConflict && error.reason === reason
}

const LONGEST = JSON.stringify({ name: 'Rex', categoryId: 1, note: '' })
const padded = (bytes: number) => LONGEST.replace('""', `"${'n'.repeat(bytes - LONGEST.length)}"`)

test('each line is judged as POST /v1/pets judges a body; a bad one is reported by number and reason, and the rest is stored', async () => {
  const lines: [line: string | Buffer, reason: RegExp | undefined][] = [
    ['{"name":"Rex","categoryId":1}', undefined],
    ['{"name":"Rex"}', /^`categoryId` is required: an integer\.$/],
    ['{"name":"","categoryId":1}', /^`name` must be 1 to 255 characters long; got an empty string/],
    [
      '{"name":"Rex","categoryId":9223372036854775808}',
      /^`categoryId` must be an integer from .* got 9223372036854775808\.$/,
    ],
    ['{"name":"Rex","categoryId":1,"status":"Sold"}', /did you mean sold\?$/],
    ['{"name":"Rex","categoryId":1,"status":null}', /^`status` must be one of/],
    ['{"name":"Rex","categoryId":1,"Status":"sold"}', /^There is no field "Status"\. Did you mean `status`\?$/],
    ['{"name":"a\\u0000b","categoryId":1}', /control characters; got U\+0000/],
    ['{"name":"\\ud800","categoryId":1}', /unpaired surrogate/],
    ['{"name":"Rex","name":"Rex","categoryId":1}', /^The line contains the same key twice/],
    ['{"name":"Rex","categoryId":1', /^The line is not valid JSON/],
    ['', /^The line is empty/],
    [`{"name":"Rex","categoryId":1,"deep":${'['.repeat(32)}${']'.repeat(32)}}`, /^The line is nested more than 32/],
    ['[]', /^The line must be a JSON object; got an array/],
    ['1e999', /^The line must be a JSON object; got 1e999/],
    [Buffer.from('{"name":"\xff","categoryId":1}', 'latin1'), /^The line is not valid UTF-8/],
    [padded(65_536), undefined],
    [padded(65_537), /^The line is over 65,536 bytes/],
    [padded(300_000), /^The line is over 65,536 bytes/],
    ['{"id":7,"name":"ignored id","categoryId":5.0,"other":[1]}\r', undefined],
    ['{"name":"last, without an end","categoryId":-9223372036854775808}', undefined],
  ]
  const text = Buffer.concat(lines.flatMap(([line], i) => [Buffer.from(i === 0 ? '' : '\n'), Buffer.from(line)]))
  const { state, rejected } = await run(text)

  const expected = lines.flatMap(([, reason], i) => (reason ? [i + 1] : []))
  assert.deepEqual(
    rejected.map(([line]) => line),
    expected,
  )
  for (const [line, reason] of rejected) assert.match(reason, lines[line - 1]![1]!)
  assert.deepEqual([state.lines, state.added, state.rejected], [lines.length, 4, expected.length])
  assert.deepEqual(await names(), ['Rex', 'Rex', 'ignored id', 'last, without an end'])
  const { rows } = await pool.query('select category_id::text as category from pets order by id')
  assert.deepEqual(
    rows.map(({ category }) => category as string),
    ['1', '1', '5', '-9223372036854775808'],
  )
})

test('CSV is read by the names of its columns, in any order, as spreadsheets write it', async () => {
  const lines: [line: string, reason: RegExp | undefined][] = [
    ['\uFEFFcategoryId,note,name,status', undefined],
    ['1,,Rex,sold', undefined],
    ['-9223372036854775808,"a, ""b""","O""Neil, \\.",', undefined],
    ['9223372036854775807,x,Momo,""', undefined],
    ['9223372036854775808,x,Momo,', /^`categoryId` must be an integer/],
    [',x,Momo,', /^`categoryId` is required/],
    ['1.0,x,Momo,', /^`categoryId` must be an integer .* got "1\.0"\.$/],
    ['1,x,,', /^`name` must be 1 to 255 characters long; got an empty string/],
    ['1,x,Momo,SOLD', /did you mean sold/],
    ['1,x,Momo', /^The first line names 4 columns; this line has 3\.$/],
    ['1,x,"Momo,', /A quote is not closed/],
    ['', /^The line is empty; each line must hold one pet\.$/],
  ]
  const { state, rejected } = await run(`${lines.map(([line]) => line).join('\r\n')}\r\n`, { format: 'csv' })
  assert.deepEqual(
    rejected.map(([line]) => line),
    lines.flatMap(([, reason], i) => (reason ? [i + 1] : [])),
  )
  for (const [line, reason] of rejected) assert.match(reason, lines[line - 1]![1]!)
  assert.equal(state.added, 3)
  const { rows } = await pool.query('select name, category_id::text as category, status from pets order by id')
  assert.deepEqual(rows, [
    { name: 'Rex', category: '1', status: 'sold' },
    { name: 'O"Neil, \\.', category: '-9223372036854775808', status: null },
    { name: 'Momo', category: '9223372036854775807', status: null },
  ])
})

test('CSV that is not UTF-8 is rejected line by line', async () => {
  const { rejected } = await run(Buffer.from('name,categoryId\nRex,1\nR\xebx,1\n', 'latin1'), { format: 'csv' })
  assert.deepEqual(rejected, [[3, 'The line is not valid UTF-8.']])
})

for (const [header, hint] of [
  [
    'name;categoryId;status',
    /Got "name;categoryId;status", which is separated by semicolons: export it with commas\.$/,
  ],
  ['name\tcategoryId', /which is separated by tabs/],
] as const) {
  test(`CSV whose first line is ${JSON.stringify(header)} is rejected with what was found`, async () => {
    await assert.rejects(run(`${header}\nRex;1`, { format: 'csv' }), hint)
  })
}

for (const text of ['[{"name":"Rex","categoryId":1}]', '[\n  {"name":"Rex","categoryId":1}\n]', ' [ {"name":']) {
  test(`NDJSON that is a JSON array is rejected as a whole: ${JSON.stringify(text)}`, async () => {
    await assert.rejects(run(text), /This is a JSON array\. NDJSON has one object on each line.*jq -c/)
  })
}

for (const header of ['', 'name,status', 'name,name,categoryId', 'Rex,1,sold', '"name,categoryId']) {
  test(`CSV whose first line is ${JSON.stringify(header)} is rejected as a whole`, async () => {
    await assert.rejects(run(`${header}\nRex,1`, { format: 'csv' }), /first line of CSV must name the columns/)
    assert.deepEqual(await names(), [])
  })
}

test('CSV with a misspelled column is rejected as a whole: each pet would lack it', async () => {
  const meant = /^RequestError: A CSV file of pets has no column "Status"\. Did you mean `status`\?$/
  await assert.rejects(run('name,categoryId,Status\nRex,1,sold', { format: 'csv' }), meant)
  assert.deepEqual(await names(), [])
})

test('strict stops at the first bad line, and keeps the chunks before it', async () => {
  const lines = manyLines(1_600)
  lines[1_200] = '{}'
  await assert.rejects(run(lines.join('\n'), { strict: true }), StrictStop)
  const kept = (await names()).length
  assert.ok(kept > 100 && kept <= 1_200, `${kept}`)

  // Fixed, it resumes: no pet is lost or added twice.
  lines[1_200] = manyLines(1_201).at(-1)!
  const { state } = await run(lines.join('\n'), { strict: true })
  assert.equal(state.added, 1_600)
  assert.deepEqual(
    await names(),
    lines.map((line) => (JSON.parse(line) as { name: string }).name),
  )
})

/** The events of all imports, as the pets that each has added. */
async function recorded() {
  const { rows } = await pool.query<{ added: string }>(
    `select added from events where pet_id = 0 and type = 'pets.imported' order by version`,
  )
  assert.equal(rows.length, (await pool.query('select from events')).rowCount, 'no pet has an event of its own')
  return rows.map(({ added }) => Number(added))
}

test('E14: an import has one event when it has finished, also if it was interrupted', async () => {
  const text = manyLines(1_600).join('\n')
  await assert.rejects(run(text, { breakAfter: 80 }), /the input broke off/)
  assert.ok((await names()).length > 100)
  assert.deepEqual(await recorded(), [])
  await run(text)
  assert.deepEqual(await recorded(), [1_600])
  await assert.rejects(run(text), conflict('finished'))
  assert.deepEqual(await recorded(), [1_600])
  await run(text, { again: true })
  await run(manyLines(3, 'other').join('\n'))
  assert.deepEqual(await recorded(), [1_600, 1_600, 3])
})

/** The ranges that the event of the last import names, and the ids of pets with names like this. */
async function rangesAndIds(name: string) {
  const { rows: events } = await pool.query<{ ranges: { first: string; last: string }[] }>(
    `select array(select json_build_object('first', lower(range), 'last', upper(range) - 1) from unnest(id_ranges) as range) as ranges
     from events where pet_id = 0 order by version desc limit 1`,
  )
  const { rows } = await pool.query<{ id: string }>('select id from pets where name like $1', [name])
  const ranges = (events[0]?.ranges ?? []).map(({ first, last }) => [Number(first), Number(last)] as const)
  return { ranges, ids: rows.map(({ id }) => Number(id)) }
}

test('the event of an import names the ranges of its ids: several, if others have added pets while it was interrupted', async () => {
  const text = manyLines(1_600, 'mine ').join('\n')
  const others = `insert into pets (name, category_id) select 'other', 1 from generate_series(1, 500)`
  await pool.query(others)
  await assert.rejects(run(text, { breakAfter: 80 }), /the input broke off/)
  await pool.query(others)
  await run(text)
  await pool.query(others)
  const { ranges, ids } = await rangesAndIds('pet mine %')
  assert.equal(ranges.length, 2)
  assert.equal(
    ranges.reduce((sum, [first, last]) => sum + last - first + 1, 0),
    1_600,
  )
  for (const id of ids) assert.ok(ranges.some(([first, last]) => first <= id && id <= last))
  assert.equal((await pool.query('select from import_ranges')).rowCount, 0)
  await run('{}\n')
  assert.deepEqual((await rangesAndIds('')).ranges, [], 'an import that adds nothing')
})

test('the event of an import that an earlier version has begun names no ranges: those of its part are not known', async () => {
  const text = manyLines(1_600, 'part ').join('\n')
  for (const parts of ['begun by it', 'all by this version']) {
    await assert.rejects(run(text, { breakAfter: 80, again: true }), /the input broke off/)
    // An earlier version does not know the table.
    if (parts === 'begun by it') await pool.query('truncate import_ranges')
    await run(text)
    const { rows } = await pool.query<{ added: string; isNamed: boolean }>(
      `select added, id_ranges is not null as "isNamed" from events where pet_id = 0 order by version desc limit 1`,
    )
    assert.deepEqual(rows, [{ added: '1600', isNamed: parts !== 'begun by it' }])
  }
  // What an earlier version has finished leaves its ranges behind: they are not those of the next run.
  await pool.query(`insert into import_ranges select head, '[1,10]', 10 from imports`)
  await run(text, { again: true })
  assert.equal((await pool.query('select from events where pet_id = 0 and id_ranges is null')).rowCount, 2)
})

test('ranges less than a page apart are one, and of too many those that are closest to each other', () => {
  const range = (first: number, last: number) => ({ first: BigInt(first), last: BigInt(last) })
  assert.deepEqual(joinRanges([range(1, 10), range(11, 20), range(120, 130), range(231, 231)]), [
    range(1, 130),
    range(231, 231),
  ])
  const many = Array.from({ length: 1_000 }, (_, i) => range(i * 1_000, i * 1_000 + 10))
  assert.deepEqual(joinRanges(many), [range(0, 999_010)])
  const far = [...many, range(10_000_000, 10_000_001)]
  assert.deepEqual(joinRanges(far), [range(0, 999_010), range(10_000_000, 10_000_001)])
})

test('E14: imports that finish together have an event each', async () => {
  await Promise.all(Array.from({ length: 6 }, (_, i) => run(manyLines(i + 1, `pets ${i} `).join('\n'))))
  assert.deepEqual(new Set(await recorded()), new Set([1, 2, 3, 4, 5, 6]))
})

test('an interrupted import resumes after its last chunk, and counts the lines rejected before', async () => {
  const lines = manyLines(1_600)
  for (const bad of [5, 800, 1_599]) lines[bad] = '{}'
  const text = lines.join('\n')
  await assert.rejects(run(text, { breakAfter: 80 }), /the input broke off/)
  const before = (await names()).length
  assert.ok(before > 100 && before < 1_599, `${before}`)

  const resumed: number[] = []
  const reached: number[] = []
  const { state, rejected } = await run(text, {
    onResumed: ({ lines: done, bytes }) => {
      resumed.push(done)
      reached.push(bytes)
    },
    onRead: ({ bytes }) => reached.push(bytes),
  })
  assert.equal(resumed.length, 1)
  assert.ok(reached[1]! > reached[0]!, 'progress is about what is left')
  assert.ok(resumed[0]! >= before)
  assert.deepEqual([state.lines, state.added, state.rejected], [1_600, 1_597, 3])
  assert.ok(rejected.every(([line]) => line > resumed[0]!))
  assert.equal(new Set(await names()).size, 1_597)
  assert.equal((await names()).length, 1_597)
})

test('an import never resumes in the middle of a line, not even of one longer than a chunk', async () => {
  // Whoever stored at the end of the 420th piece would go on at what looks like a pet.
  const text = `${'x'.repeat(4_190_000)}${padded(30_000)}\n${padded(100)}`
  await assert.rejects(run(text, { pieceBytes: 10_000, breakAfter: 421 }), /broke off/)
  const { state, rejected } = await run(text)
  assert.deepEqual(rejected, [[1, 'The line is over 65,536 bytes, which is the most a line may have.']])
  assert.deepEqual([state.lines, state.added, state.rejected], [2, 1, 1])
})

test('what is finished is not imported twice, whatever its name, unless it is asked for', async () => {
  const text = manyLines(3).join('\n')
  await run(text, { name: '/a/pets.ndjson' })
  for (const name of ['/a/pets.ndjson', '/b/other.ndjson', null])
    await assert.rejects(run(text, { name }), conflict('finished'))
  assert.equal((await names()).length, 3)
  await run(text, { again: true })
  assert.equal((await names()).length, 6)
})

test('a file of the same name with other content is another import, once the first one is finished', async () => {
  const monday = manyLines(3, 'monday')
  await run(monday.join('\n'), { name: '/a/pets.ndjson' })
  await run(manyLines(3, 'tuesday').join('\n'), { name: '/a/pets.ndjson' })
  // Also if it repeats lines of it: an input is known by its bytes, not by its pets.
  await run([...monday, ...manyLines(1, 'wednesday')].join('\n'), { name: '/a/pets.ndjson' })
  assert.equal((await names()).length, 10)
})

test('a dry run reads and judges every line, says what is in its way, and stores nothing', async () => {
  const text = ['{}', ...manyLines(2)].join('\n')
  const dry = await run(text, { dryRun: true })
  assert.deepEqual([dry.state.added, dry.state.rejected, dry.conflict], [2, 1, undefined])
  assert.deepEqual(await names(), [])
  assert.equal((await pool.query('select from imports')).rowCount, 0)
  await run(text)
  assert.equal((await run(text, { dryRun: true })).conflict?.reason, 'finished')
  assert.equal((await names()).length, 2)
})

test('an import that was begun does not go on with other content, be it from the start or further on', async () => {
  const lines = manyLines(1_200)
  const name = '/a/pets.ndjson'
  await assert.rejects(run(lines.join('\n'), { name, breakAfter: 60 }), /broke off/)
  const before = (await names()).length
  for (const changed of [3, 300]) {
    const other = lines.with(changed, manyLines(1, 'other')[0]!).join('\n')
    await assert.rejects(run(other, { name }), conflict('differs'), `line ${changed}`)
  }
  await assert.rejects(run(lines.slice(0, 300).join('\n'), { name }), conflict('differs'), 'shorter')
  assert.equal((await names()).length, before)
  assert.equal((await run(lines.join('\n'), { name })).state.added, 1_200)
  assert.equal((await names()).length, 1_200)
})

test('an import that was begun can be given up for other content', async () => {
  const lines = manyLines(1_200)
  const name = '/a/pets.ndjson'
  await assert.rejects(run(lines.join('\n'), { name, breakAfter: 60 }), /broke off/)
  const before = (await names()).length
  // The difference is found only after the beginning, when it is too late to start again.
  const later = lines.with(300, '{}').join('\n')
  await assert.rejects(run(later, { name, again: true }), conflict('given up'))
  assert.equal((await run(later, { name, again: true })).state.added, 1_199)
  assert.equal((await names()).length, before + 1_199)

  await assert.rejects(run(manyLines(1_200, 'b').join('\n'), { name, breakAfter: 60 }), /broke off/)
  assert.equal((await run(manyLines(3, 'c').join('\n'), { name, again: true })).state.added, 3)
})

test('the pets of an import that is given up are in the feed, and no process that starts begins a new epoch for them', async () => {
  const name = '/a/pets.ndjson'
  const lines = manyLines(1_200)
  const reason = async () => {
    const { db } = await connectForBulk(url)
    await using _connection = db
    return await beginEpoch(db, true)
  }
  for (const other of [lines.with(300, '{}'), manyLines(3, 'c')]) {
    await run(manyLines(2, 'another').join('\n'), { again: true })
    await assert.rejects(run(lines.join('\n'), { name, breakAfter: 60 }), /broke off/)
    const added = (await names()).length - (await recorded()).reduce((sum, pets) => sum + pets, 0)
    assert.equal(await reason(), undefined)
    await run(other.join('\n'), { name, again: true }).catch(() => {})
    assert.ok((await recorded()).includes(added), 'as many as were added')
    assert.equal(await reason(), undefined)
    assert.equal((await pool.query('select from import_ranges')).rowCount, 0)
  }
})

test('interrupted and run with the same command, an import with --again resumes too', async () => {
  const text = manyLines(1_200).join('\n')
  await run(text)
  await assert.rejects(run(text, { again: true, breakAfter: 60 }), /broke off/)
  await run(text, { again: true })
  assert.equal((await names()).length, 2_400)
})

test('of several processes that import the same at once, one does it', async () => {
  const text = manyLines(1_200).join('\n')
  const outcomes = await Promise.allSettled(Array.from({ length: 3 }, () => run(text)))
  assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') assert.ok(outcome.reason instanceof ImportConflict, String(outcome.reason))
  assert.equal((await names()).length, 1_200)
})

test('of two processes that import again what is finished at once, one does it, though both come to the same end', async () => {
  const text = manyLines(20).join('\n')
  await run(text)
  const both = Promise.withResolvers<void>()
  let arrived = 0
  const midway = () => {
    if (++arrived === 2) both.resolve()
    return both.promise
  }
  const outcomes = await Promise.allSettled([run(text, { again: true, midway }), run(text, { again: true, midway })])
  const [stopped, ...others] = outcomes.filter((outcome) => outcome.status === 'rejected')
  assert.ok(conflict('elsewhere')(stopped?.reason), String(stopped?.reason))
  assert.deepEqual(others, [])
  assert.equal((await names()).length, 40)
})

test('an import that another process gives up meanwhile stops', async () => {
  const lines = manyLines(600)
  await assert.rejects(run(lines.join('\n'), { breakAfter: 45 }), /broke off/)
  const before = await names()
  const giveUp = () => assert.rejects(run(lines.with(300, '{}').join('\n'), { again: true }), conflict('given up'))
  await assert.rejects(run(lines.join('\n'), { midway: giveUp }), conflict('elsewhere'))
  assert.deepEqual(await names(), before)
})

test('an import that another process finishes meanwhile is not given up', async () => {
  const lines = manyLines(600)
  await assert.rejects(run(lines.join('\n'), { breakAfter: 45 }), /broke off/)
  const other = lines.with(300, '{}').join('\n')
  await assert.rejects(run(other, { again: true, midway: () => run(lines.join('\n')) }), conflict('elsewhere'))
  await assert.rejects(run(lines.join('\n')), conflict('finished'))
  assert.equal((await names()).length, 600)
})

test('after an import, plans that connections made on the empty table are made again', async (t) => {
  const client = await pool.connect()
  t.after(() => client.release(true))
  await client.query(`set plan_cache_mode = force_generic_plan; prepare all_pets as select from pets`)
  const plan = async () => {
    const { rows } = await client.query('explain execute all_pets')
    return JSON.stringify(rows)
  }
  assert.doesNotMatch(await plan(), / rows=20 /)
  await run(manyLines(20).join('\n'))
  assert.match(await plan(), / rows=20 /)
})
