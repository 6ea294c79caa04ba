import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvFields } from '../../src/lib/csv.ts'
import { completeLinesLength, countLines, firstLine, lineSplitter } from '../../src/lib/lines.ts'

function cut(pieces: Buffer[], most = 1_000) {
  const lines: string[] = []
  const cutter = lineSplitter(most, (line) => lines.push(line.toString()))
  for (const piece of pieces) cutter.push(piece)
  cutter.end()
  return lines
}

test('the lines are the same, however the bytes arrive', () => {
  const pieces = fc.array(fc.string({ unit: fc.constantFrom('a', 'ü', '\n', '\r') }).map((text) => Buffer.from(text)))
  fc.assert(
    fc.property(pieces, (given) => {
      const all = Buffer.concat(given)
      const expected = all.toString().split('\n')
      if (expected.at(-1) === '') expected.pop()
      assert.deepEqual(cut(given), expected)
      assert.equal(firstLine(all).toString(), all.toString().split('\n')[0])
      assert.equal(countLines(all), all.toString().split('\n').length - 1)
      assert.equal(completeLinesLength(all), Buffer.byteLength(all.toString().replace(/[^\n]*$/, '')))
    }),
  )
})

test('of a line that is too long, no more is kept than shows that it is', () => {
  const long = [...Array.from({ length: 50 }, () => Buffer.from('xxxxx')), Buffer.from('x\nshort\n')]
  assert.deepEqual(cut(long, 7), ['xxxxxxxx', 'short'])
})

test('a record of CSV is read as it was written, with any text in it', () => {
  const field = fc.string({ unit: fc.constantFrom('a', '"', ',', ' ', 'ü', '\\') })
  fc.assert(
    fc.property(fc.array(fc.tuple(field, fc.boolean()), { minLength: 1 }), (fields) => {
      const record = fields.map(([text, quoted]) =>
        quoted || /[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text,
      )
      assert.deepEqual(
        csvFields(record.join(',')),
        fields.map(([text]) => text),
      )
    }),
  )
})

for (const record of ['"', 'a"b', '"a"b', '"a', '"a""', 'a,"b', ' "a"']) {
  test(`${record} is no record of CSV`, () => assert.equal(csvFields(record), undefined))
}
