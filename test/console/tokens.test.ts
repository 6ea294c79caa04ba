import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'

const CONSOLE = 'packages/console/src/styles/tokens.css'

// Two copies, since neither may read the files of the other: the console never imports src, and is absent where it was not built.
test('the console and the documentation have the same colours and type', () => {
  assert.equal(readFileSync('src/http/docs/style/tokens.css', 'utf8'), readFileSync(CONSOLE, 'utf8'))
})
