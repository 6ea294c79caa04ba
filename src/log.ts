import { fstatSync } from 'node:fs'
import { hostname } from 'node:os'
import { type DestinationStream, pino } from 'pino'
import type { Answered } from './http/answer.ts'
import { LineGatherer } from './lib/line-gatherer.ts'

/** The log of a process: one line of JSON for whatever happens. */
export function openLog(level: string, output: DestinationStream = standardOutput()) {
  const base = { pid: process.pid, hostname: hostname() }
  const log = pino({ level, base }, output)
  const begin = `{"level":${log.levels.values['info']},"time":`
  const common = JSON.stringify(base).slice(1, -1)
  return {
    log,
    /**
     * A line as `log.info` would write it, for what happens most often, in a fifth of the time: nothing of this needs to be
     * escaped, neither names of ours nor the Request-Ids that we accept.
     */
    logAnswer: ({ operation, method, requestId, status, keyId, ms }: Answered) => {
      if (!log.isLevelEnabled('info')) return
      const who = keyId === undefined ? '' : `,"keyId":"${keyId}"`
      const what = operation === undefined ? '' : `,"operation":"${operation}"`
      output.write(
        `${begin}${Date.now()},${common}${what},"method":"${method}","requestId":"${requestId}","status":${status}${who},"ms":${ms},"msg":"answered"}\n`,
      )
    },
  }
}

/** Lines are gathered for up to a tenth of a second: one write for each would cost more than all else that is logged. */
function standardOutput() {
  // The kernel puts no more than this into a pipe in one piece: longer pieces of several processes would mix.
  const most = fstatSync(1).isFile() ? 65_536 : 4_096
  // When nobody reads the log, it ends at some point; the service goes on.
  const options = { dest: 1, sync: false, contentMode: 'buffer', maxWrite: most, maxLength: 16_777_216 } as const
  // Its types know only text.
  const output = pino.destination(options) as unknown as { write: (piece: Buffer) => void; flushSync: () => void }
  const lines = new LineGatherer(most, (piece) => output.write(piece))
  setInterval(() => lines.flush(), 100).unref()
  process.on('exit', () => {
    output.flushSync()
    // Nobody will be there to wait for anything.
    pino.destination({ dest: 1, sync: true }).write(String(lines.take()))
  })
  return lines
}
