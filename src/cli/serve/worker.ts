import { readConfig } from '../../config.ts'
import { UsageError } from '../failure.ts'
import { stopRequested } from '../signals.ts'
import type { Order, Report } from './worker-process.ts'

export const USAGE = `petstore serve
    Starts as many workers as WORKERS says.
`

/** One of the processes that `serve` starts when WORKERS is above 1. It lives no longer than the one that started it. */
export async function worker([port]: string[]) {
  if (!process.channel) throw new UsageError('Workers are started by `petstore serve`, as many as WORKERS says.')
  process.channel.unref()
  const stop = stopOrdered()
  const { startService } = await import('../../service.ts')
  await using service = await startService({ ...readConfig(), port: Number(port) }, { isWorker: true })
  process.on('message', (order: Order) => {
    if (order === 'read metrics') void service.readMetrics().then((reading) => tell({ reading }))
  })
  tell({ address: service.address })
  await stop
  // Whoever ordered to stop has been ended meanwhile, by a second signal perhaps: nobody waits any more.
  process.once('disconnect', () => process.exit(1))
  return 0
}

/** Settles at an order, at a signal (Ctrl-C reaches every process of a terminal), or when there is nobody to give orders. */
function stopOrdered() {
  return new Promise<void>((resolve) => {
    void stopRequested().then(resolve)
    process.on('message', (order: Order) => {
      if (order === 'stop') resolve()
    })
    process.once('disconnect', resolve)
    if (!process.connected) resolve()
  })
}

function tell(report: Report) {
  // When it can't be sent, whoever should hear it is gone, which is noticed elsewhere.
  process.send?.(report, () => {})
}
