import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { MUTANTS } from './support/mutants.ts'

test('every mutant still finds what it would break', () => {
  const lost = MUTANTS.filter(({ file, edits }) => {
    const source = readFileSync(file, 'utf8')
    return edits.some(([find]) => !source.includes(find))
  })
  assert.ok(MUTANTS.length > 20)
  assert.deepEqual(
    lost.map(({ name }) => name),
    [],
  )
})
