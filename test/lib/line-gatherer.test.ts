import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LineGatherer } from '../../src/lib/line-gatherer.ts'

function gather(most: number) {
  const pieces: Buffer[] = []
  return { pieces, gatherer: new LineGatherer(most, (piece) => pieces.push(piece)) }
}

test('passes lines on only when asked to, or when a piece is full', () => {
  const { pieces, gatherer } = gather(30)
  gatherer.write('one\n')
  gatherer.write('two\n')
  assert.deepEqual(pieces, [])
  gatherer.flush()
  gatherer.flush()
  assert.deepEqual(pieces.map(String), ['one\ntwo\n'])
})

test('cuts between lines, whatever they are written in, and changes no piece that it has passed on', () => {
  const { pieces, gatherer } = gather(64)
  const lines = Array.from({ length: 500 }, (_, n) => `${'aé€🐈'.repeat(n % 7)}${n}\n`)
  for (const line of lines) gatherer.write(line)
  gatherer.flush()
  assert.equal(pieces.map(String).join(''), lines.join(''))
  for (const piece of pieces) assert.equal(piece.at(-1), 0x0a)
  for (const piece of pieces) assert.ok(piece.length <= 64 || piece.indexOf(0x0a) === piece.length - 1)
})
