import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { startDelivery } from '../service.ts'
import { CommandError } from './failure.ts'
import { type Io, stopRequested } from './io.ts'

export const USAGE = `petstore deliver
    Sends events to webhooks until SIGTERM. Several of them share the webhooks. Settings are environment variables;
    docs/configuration.md lists them.
`

export async function deliver(io: Io, args: string[]) {
  parseArgs({ args }) // takes none
  const config = readConfig(io.env)
  const { webhookMasterSecret } = config
  if (webhookMasterSecret === undefined)
    throw new CommandError(
      'WEBHOOK_MASTER_SECRET is not set, so nothing can be signed. Set it to the same secret as for `petstore serve`.',
    )
  const stop = stopRequested(io)
  await using _delivery = await startDelivery(config, webhookMasterSecret, { logTo: io.logTo })
  await stop
  return 0
}
