import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { CONSOLE_MUTANTS } from './support/console-mutants.ts'
import { MUTANTS } from './support/mutants.ts'

test('every mutant still finds what it would break', () => {
  const lost = [...MUTANTS, ...CONSOLE_MUTANTS].filter(({ file, edits }) => {
    const source = readFileSync(file, 'utf8')
    return edits.some(([find]) => !source.includes(find))
  })
  assert.ok(MUTANTS.length > 20)
  assert.ok(CONSOLE_MUTANTS.length >= 12)
  assert.deepEqual(
    lost.map(({ name }) => name),
    [],
  )
})

test('every mutant of the console names a test that there is', () => {
  const lost = CONSOLE_MUTANTS.filter((mutant) => !readFileSync(mutant.test, 'utf8').includes(mutant.names))
  assert.deepEqual(
    lost.map(({ name }) => name),
    [],
  )
})
