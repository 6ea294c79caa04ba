import { parseArgs } from 'node:util'
import { eraseOrder, erasePet } from '../domain/erasures.ts'
import { ERASED_NAME } from '../domain/types/pet.ts'
import { parseOrderId } from '../lib/ids/order-id.ts'
import { parseInt64 } from '../lib/int64.ts'
import { openLog } from '../telemetry/log.ts'
import { takeStore, withStore } from './database-url.ts'
import { CommandError, suggestion, UsageError } from './failure.ts'
import { type Io, print, printJson } from './io.ts'
import { type Db, operator } from './keys/key.ts'
import { many } from './progress.ts'

export const USAGE = `petstore erase pet ID
    Overwrites the name of a pet with ${ERASED_NAME}, and the names that it had, in its whole history; also of a pet that
    was deleted. One that exists is renamed, with an event like any other change.
petstore erase order ID
    Removes the reference of an order, also from its events. The order itself stays.

Each is one transaction, and cannot be undone. Standard error gets a line of JSON for your log: who erased what, and not
the text. Receivers of events and backups keep what they have: docs/privacy.md. Both take --json for output that scripts
can read, and --store test for the sandbox.
`

const commands: Record<string, (io: Io, db: Db, id: string, json: boolean) => Promise<void>> = { pet, order }

export async function erase(io: Io, [name = '', ...args]: string[]) {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new UsageError(`Name what to erase: pet or order.${suggestion(name, Object.keys(commands))}`)
  const options = { json: { type: 'boolean', default: false } } as const
  const { values, positionals } = parseArgs({ args: takeStore(args).args, allowPositionals: true, options })
  const [id, ...rest] = positionals
  if (id === undefined || rest.length > 0) throw new UsageError(`Name one ${name}: petstore erase ${name} ID`)
  await withStore(io, args, (db) => command(io, db, id, values.json))
  return 0
}

async function pet(io: Io, db: Db, id: string, json: boolean) {
  const petId = parseInt64(id) ?? 0n
  const erased = petId > 0n ? await erasePet({ db }, petId) : { exists: false, events: 0 }
  if (!erased)
    throw new CommandError(
      `Nothing was erased: another transaction is changing the pet ${id}. Run the command again in a moment.`,
    )
  if (!erased.exists && erased.events === 0)
    throw new CommandError(`There is no pet ${JSON.stringify(id)}, and no event that has its name.`)
  logErasure(io, { petId: id, events: erased.events }, 'erased the name of a pet')
  if (json) return printJson(io, { id, ...erased })
  print(
    io,
    `Erased the name of the pet ${id}${erased.exists ? '' : ', which was deleted'}, and in ${many(erased.events, 'event')}.`,
  )
}

async function order(io: Io, db: Db, id: string, json: boolean) {
  const key = parseOrderId(id)
  if (!key || !(await eraseOrder({ db }, key)))
    throw new CommandError(`There is no order ${JSON.stringify(id)}. Ids begin with ord_ and are case-sensitive.`)
  logErasure(io, { orderId: id }, 'erased the reference of an order')
  if (json) return printJson(io, { id })
  print(io, `Erased the reference of the order ${id}.`)
}

function logErasure({ stderr }: Io, what: object, message: string) {
  openLog('info', stderr).log.info({ who: operator(), ...what }, message)
}
