import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { startDelivery } from '../service.ts'
import { CommandError } from './failure.ts'
import { stopRequested } from './signals.ts'

export const USAGE = `petstore deliver
    Sends events to webhooks until SIGTERM. Several of them share the webhooks. Settings are environment variables;
    docs/configuration.md lists them.
`

export async function deliver(args: string[]) {
  parseArgs({ args }) // takes none
  const config = readConfig()
  const { webhookMasterSecret } = config
  if (webhookMasterSecret === undefined)
    throw new CommandError(
      'WEBHOOK_MASTER_SECRET is not set, so nothing can be signed. Set it to the same secret as for `petstore serve`.',
    )
  const stop = stopRequested()
  await using _delivery = await startDelivery(config, webhookMasterSecret)
  await stop
  return 0
}
