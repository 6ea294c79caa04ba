import { readConfig } from '../../src/config.ts'
import { createKey } from '../../src/domain/key-changes.ts'
import { DEFAULT_SCOPES, SCOPES, type Scope } from '../../src/domain/principal.ts'
import { connect, startDelivery, startService } from '../../src/service.ts'

// Serves and delivers in one process, also to this machine, as `petstore dev` does; but on the database of the environment. Sends its
// URL and the keys that clauses need to the process that started it.
const config = { ...readConfig(process.env), allowsLocalReceivers: true }
const { address } = await startService(config)
await startDelivery(config, config.webhookMasterSecret ?? '')

await using db = connect(config.stores[0].databaseUrl)
const keyWith = async (scopes: readonly Scope[]) => {
  const { key } = await createKey({ db }, 'mutants', {
    name: 'mutant',
    mode: 'live',
    scopes: [...scopes],
    expiresAt: null,
  })
  return key
}
const keys = {
  key: await keyWith(SCOPES),
  readKey: await keyWith(['pets:read']),
  // What every key could do before there were more scopes, and what a new one can do if the operator names none.
  petsKey: await keyWith(DEFAULT_SCOPES),
}
process.send?.({ address, keys })
