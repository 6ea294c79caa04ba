import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withRows } from '../../faults/page.ts'

const table = (...rows: string[]) => ['| fault | lost |', '| --- | ---: |', ...rows].join('\n')
const page = (content: string) => `words\n<!-- matrix -->\n${content}<!-- /matrix -->\nmore words\n`

test('the figures of a fault take the place of its earlier ones, and those of others stay', () => {
  const first = withRows(page(''), table('| kill | 0 |', '| freeze | 0 |'), 'Monday')
  assert.equal(first, page(`\nLast run: Monday.\n\n${table('| kill | 0 |', '| freeze | 0 |')}\n\n`))
  const second = withRows(first, table('| kill **broken** | 3 |', '| soak | 0 |'), 'Tuesday')
  assert.equal(
    second,
    page(`\nLast run: Tuesday.\n\n${table('| kill **broken** | 3 |', '| freeze | 0 |', '| soak | 0 |')}\n\n`),
  )
})
