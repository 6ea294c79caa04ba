import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createDatabase } from '../support/database.ts'
import { compareWords, NOTHING } from '../support/pet-words.ts'
import { petstore } from '../support/process.ts'

test('petstore search rebuild makes all words that are missing, without a process that serves', async () => {
  const { url, pool } = await createDatabase()
  const env = { DATABASE_URL: url }
  const empty = await petstore(['search', 'rebuild'], env)
  assert.deepEqual([empty.code, empty.stderr], [0, ''])
  await pool.query(
    `insert into pets (name, category_id, worded) select 'Pet ' || i, 1, true from generate_series(1, 2500) as i`,
  )
  await pool.query(`insert into pet_words values ('pet', 1)`)
  const { code, stdout, stderr } = await petstore(['search', 'rebuild'], env)
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^Made the words of all pets again \(.+ s\)\.\n$/)
  assert.deepEqual(await compareWords(pool), NOTHING)
})

test('the only search command is rebuild, and takes no options', async () => {
  assert.equal((await petstore(['search'])).code, 2)
  assert.match((await petstore(['search', 'rebild'])).stderr, /Name a search command: rebuild\. Did you mean rebuild\?/)
  assert.equal((await petstore(['search', 'rebuild', '--all'])).code, 2)
})
