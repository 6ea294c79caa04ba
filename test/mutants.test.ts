import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { CONTRACT } from '../acceptance/contract.ts'
import { select } from '../acceptance/select.ts'
import { MUTANTS } from './mutants/list.ts'

test('every mutant still finds what it would break', () => {
  const lost = MUTANTS.filter(({ file, edits }) => {
    const source = readFileSync(file, 'utf8')
    return edits.length === 0 || edits.some(([find]) => !source.includes(find))
  })
  assert.ok(MUTANTS.length > 100)
  assert.deepEqual(namesOf(lost), [])
})

test('every mutant names clauses or tests that there are', () => {
  const lost = MUTANTS.filter(({ kill }) =>
    typeof kill === 'string'
      ? select(CONTRACT, [kill]).length === 0
      : !readFileSync(kill.test, 'utf8').includes(kill.names),
  )
  assert.deepEqual(namesOf(lost), [])
})

test('every mutant has a name of its own', () => {
  const names = namesOf(MUTANTS)
  assert.deepEqual(
    names.filter((name, i) => names.indexOf(name) !== i),
    [],
  )
})

function namesOf(mutants: typeof MUTANTS) {
  return mutants.map(({ name }) => name)
}
