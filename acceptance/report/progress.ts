import type { Writable } from 'node:stream'
import type { Outcome } from '../attempt.ts'
import { type Clause, groupOf } from '../clause.ts'

/** One line that moves on a terminal; elsewhere a line for each group when it is through; nothing without a stream. */
export function progress(stream: (Writable & { isTTY?: boolean; columns?: number }) | undefined, clauses: Clause[]) {
  const waiting = new Map<string, number>()
  for (const clause of clauses) waiting.set(groupOf(clause), (waiting.get(groupOf(clause)) ?? 0) + 1)
  const counts = new Map<string, { failed: number; notTried: number }>()
  let [done, failed] = [0, 0]

  const add = ({ clause, failure, notTried }: Outcome) => {
    const group = groupOf(clause)
    const left = (waiting.get(group) ?? 0) - 1
    waiting.set(group, left)
    const count = counts.get(group) ?? { failed: 0, notTried: 0 }
    counts.set(group, count)
    done++
    if (failure) count.failed++
    if (failure) failed++
    if (notTried !== undefined) count.notTried++
    if (stream?.isTTY) {
      const line = `${done} of ${clauses.length}, ${failed} failed  ${clause.id}`
      stream.write(`\r\x1b[2K${line.slice(0, (stream.columns || 80) - 1)}`)
    } else if (left === 0)
      stream?.write(
        `${group}: ${count.failed || 'none'} failed${count.notTried ? `, ${count.notTried} not tried` : ''}\n`,
      )
  }
  const end = () => void (stream?.isTTY ? stream.write('\r\x1b[2K') : stream?.write('\n'))
  return { add, end }
}
