import type { WriteStream } from 'node:tty'
import { type Clause, groupOf } from '../clause.ts'
import type { Outcome } from '../run.ts'

/** One line that moves on a terminal; elsewhere a line for each group when it is through; nothing without a stream. */
export function progress(stream: WriteStream | undefined, clauses: Clause[]) {
  const waiting = new Map<string, number>()
  for (const clause of clauses) waiting.set(groupOf(clause), (waiting.get(groupOf(clause)) ?? 0) + 1)
  const failures = new Map<string, number>()
  let [done, failed] = [0, 0]

  const add = ({ clause, failure }: Outcome) => {
    const group = groupOf(clause)
    const left = (waiting.get(group) ?? 0) - 1
    waiting.set(group, left)
    done++
    if (failure) failures.set(group, (failures.get(group) ?? 0) + 1)
    if (failure) failed++
    if (stream?.isTTY) {
      const line = `${done} of ${clauses.length}, ${failed} failed  ${clause.id}`
      stream.write(`\r\x1b[2K${line.slice(0, (stream.columns || 80) - 1)}`)
    } else if (left === 0) stream?.write(`${group}: ${failures.get(group) ?? 'none'} failed\n`)
  }
  const end = () => void (stream?.isTTY ? stream.write('\r\x1b[2K') : stream?.write('\n'))
  return { add, end }
}
