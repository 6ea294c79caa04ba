import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withRows } from '../../faults/page.ts'

const table = (...rows: string[]) => ['| fault | lost |', '| --- | ---: |', ...rows].join('\n')
const page = (content: string) => `words\n<!-- matrix -->\n${content}<!-- /matrix -->\nmore words\n`

const dated = (...rows: string[]) => ['| fault | lost | run on |', '| --- | ---: | --- |', ...rows].join('\n')
const on = (day: string) => ({ day, machine: '2 cores', known: ['soak', 'kill', 'freeze'] })

test('the results of a fault replace its earlier ones, and those of others stay, with their day', () => {
  const first = withRows(page(''), table('| kill | 0 |', '| freeze | 0 |'), on('Monday'))
  assert.equal(first, page(`\nOn 2 cores.\n\n${dated('| kill | 0 | Monday |', '| freeze | 0 | Monday |')}\n\n`))
  const second = withRows(first, table('| kill **broken** | 3 |', '| soak | 0 |'), on('Tuesday'))
  const rows = ['| soak | 0 | Tuesday |', '| kill **broken** | 3 | Tuesday |', '| freeze | 0 | Monday |']
  assert.equal(second, page(`\nOn 2 cores.\n\n${dated(...rows)}\n\n`))
})

test('the row of a fault that is no more is dropped', () => {
  const before = page(`\nOn 2 cores.\n\n${dated('| crash | 0 | Monday |', '| freeze | 0 | Monday |')}\n\n`)
  const after = withRows(before, table('| kill | 0 |'), on('Tuesday'))
  assert.equal(after, page(`\nOn 2 cores.\n\n${dated('| kill | 0 | Tuesday |', '| freeze | 0 | Monday |')}\n\n`))
})
