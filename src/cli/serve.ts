import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { startService } from '../service.ts'
import { stopRequested } from './signals.ts'

const GRACE_MS = 1_000

export async function serve(args: string[]) {
  parseArgs({ args }) // takes none
  const config = readConfig()
  const stop = stopRequested()
  await using _service = await startService(config, { graceMs: GRACE_MS })
  await stop
  return 0
}
