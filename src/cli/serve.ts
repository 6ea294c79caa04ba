import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { serveByWorkers } from './serve/workers.ts'
import { stopRequested } from './signals.ts'

export const USAGE = `petstore serve
    Serves HTTP until SIGTERM. Settings are environment variables; docs/configuration.md lists them.
`

export async function serve(args: string[]) {
  parseArgs({ args }) // takes none
  const config = readConfig()
  const stop = stopRequested()
  if (config.workers > 1) return serveByWorkers(config, stop)
  // The parent of workers does not need it, and loading it is most of the cost of a start.
  const { startService } = await import('../service.ts')
  await using _service = await startService(config)
  await stop
  return 0
}
