import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { type Io, stopRequested } from './io.ts'
import { requireTwoPorts } from './ports.ts'
import { serveByWorkers } from './serve/workers.ts'

export const USAGE = `petstore serve
    Serves HTTP until SIGTERM. Settings are environment variables; docs/configuration.md lists them.
`

export async function serve(io: Io, args: string[]) {
  parseArgs({ args }) // takes none
  const config = readConfig(io.env)
  requireTwoPorts(config)
  const stop = stopRequested(io)
  if (config.workers > 1) return serveByWorkers(config, io, stop)
  // The parent of workers does not need it, and loading it is most of the cost of a start.
  const { startService } = await import('../service.ts')
  await using _service = await startService(config, { logTo: io.logTo })
  await stop
  return 0
}
