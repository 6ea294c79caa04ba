import assert from 'node:assert/strict'
import { Writable } from 'node:stream'
import { mock, test } from 'node:test'
import { duration, showProgress } from '../../src/cli/progress.ts'

// What takes the line away that stands there.
const CLEAR = '\r\x1b[2K'

/** Shows what a moving import has reached, and returns what was written, with ⌫ for CLEAR. */
function shown(
  terminal: { isTTY?: boolean; columns?: number },
  watch: (print: (text: string) => void) => void,
  shareOf = (lines: number) => lines / 4_000,
) {
  mock.timers.enable({ apis: ['setInterval'] })
  let text = ''
  const write = (piece: Buffer, _: string, done: () => void) => {
    text += piece.toString()
    done()
  }
  const stream = Object.assign(new Writable({ write }), terminal)
  let lines = 0
  const reached = () => {
    lines += 1_000
    return { lines, share: shareOf(lines), rejected: lines > 1_000 ? 3 : 0 }
  }
  const progress = showProgress(stream, reached)
  watch(progress.print)
  progress.end()
  mock.timers.reset()
  return text.replaceAll(CLEAR, '⌫')
}

test('on a terminal one line moves, with a bar, the speed and the time left, and is gone in the end', () => {
  const text = shown({ isTTY: true, columns: 100 }, () => mock.timers.tick(400))
  const [, first, second, last] = text.split('⌫')
  assert.match(first!, /^█{6}░{18} {2}25 % {2}1,000 lines$/)
  assert.match(second!, /^█{12}░{12} {2}50 % {2}2,000 lines {2}[\d,]+\/s {2}\d\.\d s left {2}3 rejected$/)
  assert.equal(last, '')
  assert.ok(!text.includes('\n'))
})

test('lines are printed above the progress bar, which never wraps', () => {
  const text = shown({ isTTY: true, columns: 40 }, (print) => {
    mock.timers.tick(200)
    print('line 17: bad')
  })
  assert.match(text, /⌫line 17: bad\n⌫█{12}/)
  for (const line of text.split(/[⌫\n]/)) assert.ok(line.length < 40, line)
})

for (const [share, bar] of [
  [1.1, /^█{24} 100 % /],
  [-0.2, /^░{24} {3}0 % /],
] as const) {
  test(`a share of ${share} is drawn as the end of the bar that it lies beyond`, () => {
    const text = shown(
      { isTTY: true },
      () => mock.timers.tick(200),
      () => share,
    )
    assert.match(text.split('⌫')[1]!, bar)
  })
}

test('elsewhere a plain line comes every five seconds', () => {
  const text = shown({}, () => mock.timers.tick(10_000))
  assert.match(text, /^ 25 % {2}1,000 lines\n 50 % {2}2,000 lines {2}[\d,]+\/s {2}\d\.\d s left {2}3 rejected\n$/)
})

for (const [seconds, text] of [
  [0.04, '0.0 s'],
  [9.94, '9.9 s'],
  [59.4, '59 s'],
  [59.6, '1 min 0 s'],
  [3_599, '59 min 59 s'],
  [3_661, '1 h 1 min'],
] as const) {
  test(`${seconds} seconds are printed as ${text}`, () => assert.equal(duration(seconds), text))
}
