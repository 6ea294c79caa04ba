import { stopRequested } from '../../src/cli/io.ts'
import { readConfig } from '../../src/config.ts'
import { startDelivery } from '../../src/service.ts'
import { SHORT } from './times.ts'

// `petstore deliver` with short times.
const config = readConfig(process.env)
const stop = stopRequested(process)
await using _delivery = await startDelivery(config, config.webhookMasterSecret ?? '', { times: SHORT })
await stop
