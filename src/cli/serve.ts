import { parseArgs } from 'node:util'
import { type Config, readConfig } from '../config.ts'
import { CommandError } from './failure.ts'
import { type Io, stopRequested } from './io.ts'
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

/** The system would say that another process has the port. */
function requireTwoPorts({ host, port, adminHost, adminPort }: Config) {
  const isEverywhere = [host, adminHost].some((each) => each === '0.0.0.0' || each === '::')
  if (port === 0 || port !== adminPort || (host !== adminHost && !isEverywhere)) return
  throw new CommandError(
    `PORT and ADMIN_PORT are both ${port}, but metrics need a port of their own. Set ADMIN_PORT to another one, or to 0 to turn metrics off.`,
  )
}
