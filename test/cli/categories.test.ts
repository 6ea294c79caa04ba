import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, beforeEach, test } from 'node:test'
import { createDatabase } from '../support/database.ts'
import { petstore } from '../support/process.ts'

const { url, pool } = await createDatabase()
const env = { DATABASE_URL: url }
const directory = mkdtempSync(join(tmpdir(), 'petstore-categories-'))
after(() => rmSync(directory, { recursive: true }))
beforeEach(() => pool.query('truncate categories, pets'))

function file(name: string, lines: string[]) {
  const path = join(directory, name)
  writeFileSync(path, lines.map((line) => `${line}\n`).join(''))
  return path
}

const importing = (path: string, ...more: string[]) => petstore(['import', path, '--categories', ...more], env)

async function records() {
  const { rows } = await pool.query<{ id: string; name: string; version: string }>(
    'select id, name, version from categories order by id',
  )
  return rows.map(({ id, name, version }) => `${id} ${name} ${version}`)
}

const LINES = [
  '{"id":-9223372036854775808,"name":"O\\"Neil\\\\"}',
  '{"id":7,"name":"Dog"}',
  '{"id":9223372036854775807,"name":"🐢 ü\\u200b"}',
]

test('what export writes, import reads: each name and each int64 as it was, and a repeat changes nothing', async () => {
  const path = file('categories.ndjson', LINES)
  const first = await importing(path)
  assert.equal(first.code, 0, first.stderr)
  assert.match(first.stdout, /^Read 3 lines: named 3, renamed 0, rejected 0 \(/)
  const before = await records()
  const again = await importing(path)
  assert.match(again.stdout, /^Read 3 lines: named 0, renamed 0, rejected 0 \(/)
  assert.deepEqual(await records(), before)

  const exported = join(directory, 'out.ndjson')
  const written = await petstore(['export', '--categories', exported], env)
  assert.equal(written.code, 0, written.stderr)
  assert.match(written.stderr, /Wrote the names of 3 categories/)
  await pool.query('truncate categories')
  assert.equal((await importing(exported)).code, 0)
  assert.deepEqual(await records(), before)
  const { stdout } = await petstore(['export', '--categories'], env)
  assert.equal(stdout, readFileSync(exported, 'utf8'))
})

test('of several lines for one category the last decides, and another name makes another version', async () => {
  const lines = ['{"id":7,"name":"Cat"}', '{"id":8,"name":"Cow"}', '{"id":7,"name":"Dog"}']
  assert.match((await importing(file('a.ndjson', lines))).stdout, /named 2, renamed 0/)
  assert.deepEqual(await records(), ['7 Dog 1', '8 Cow 1'])
  assert.match((await importing(file('b.ndjson', ['{"id":7,"name":"Hund"}']))).stdout, /named 0, renamed 1/)
  assert.deepEqual(await records(), ['7 Hund 2', '8 Cow 1'])
})

test('a line that is rejected is reported, and stops nothing', async () => {
  const lines = [
    '',
    '{"id":1}',
    '{"name":"x"}',
    '{"id":1.5,"name":"x"}',
    '{',
    '{"id":9,"name":"Dog"}',
    `{"id":1,"name":"${'x'.repeat(101)}"}`,
  ]
  const { code, stdout, stderr } = await importing(file('c.ndjson', lines))
  assert.equal(code, 3, stderr)
  assert.match(stdout, /^Read 7 lines: named 1, renamed 0, rejected 6 \(/)
  assert.match(stderr, /line 1: The line is empty; each line must hold one category\.\nline 2: `name` is required/)
  assert.deepEqual(await records(), ['9 Dog 1'])
})

test('thousands of lines are stored in parts', async () => {
  const lines = Array.from({ length: 5_500 }, (_, i) => `{"id":${i % 5_000},"name":"c ${i}"}`)
  const { stdout, stderr, code } = await importing(file('d.ndjson', lines))
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^Read 5,500 lines: named 5,000, /)
  const { rows } = await pool.query('select count(*)::int as count from categories where id < 500 and name = $1', [
    'c 5001',
  ])
  assert.deepEqual(rows, [{ count: 1 }])
})

test('options of imports of pets are not taken', async () => {
  const path = file('e.ndjson', LINES)
  for (const option of ['--strict', '--again', '--dry-run', '--rejects=x', '--format=csv']) {
    const { code, stderr } = await importing(path, option)
    assert.equal(code, 2, stderr)
    assert.match(stderr, /--categories/)
  }
  assert.equal((await petstore(['export', '--categories', 'x.csv'], env)).code, 2)
  assert.deepEqual(await records(), [])
})
