import { readConfig } from '../../config.ts'
import { UsageError } from '../failure.ts'
import { type Io, stopRequested } from '../io.ts'
import type { Order, Report } from './worker-process.ts'

export const USAGE = `petstore serve
    Starts as many workers as WORKERS says.
`

/** One of the processes that `serve` starts when WORKERS is above 1. It exits with its parent. */
export async function worker(io: Io, [port]: string[]) {
  if (!process.channel) throw new UsageError('Workers are started by `petstore serve`, as many as WORKERS says.')
  process.channel.unref()
  const stop = stopOrdered(io)
  const { startService } = await import('../../service.ts')
  await using service = await startService({ ...readConfig(io.env), port: Number(port) }, { isWorker: true })
  process.on('message', (order: Order) => {
    if (order === 'read metrics') void service.readMetrics().then((reading) => sendReport({ reading }))
  })
  sendReport({ address: service.address, warnings: service.warnings })
  await stop
  // The parent has exited meanwhile, perhaps by a second signal, so nothing waits for the drain.
  process.once('disconnect', () => process.exit(1))
  return 0
}

/** Settles when the parent says so or has exited, or at a signal: Ctrl-C reaches every process of a terminal. */
function stopOrdered(io: Io) {
  return new Promise<void>((resolve) => {
    void stopRequested(io).then(resolve)
    process.on('message', (order: Order) => {
      if (order === 'stop') resolve()
    })
    process.once('disconnect', resolve)
    if (!process.connected) resolve()
  })
}

function sendReport(report: Report) {
  // It can't be sent when the parent has exited, which `stopOrdered` notices.
  process.send?.(report, () => {})
}
