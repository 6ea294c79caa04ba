import { readConfig } from '../../src/config.ts'
import { startDelivery, startService } from '../../src/service.ts'

// Serves and delivers in one process, also to this machine, as `petstore dev` does; but on the database of the environment.
const config = { ...readConfig(), allowsLocalReceivers: true }
await startService(config)
await startDelivery(config, config.webhookMasterSecret ?? '')
