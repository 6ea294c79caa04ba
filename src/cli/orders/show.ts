import { parseArgs } from 'node:util'
import { findKey } from '../../domain/keys.ts'
import { findOrder } from '../../domain/order-cancellation.ts'
import { orderIdText, parseOrderId, placedAtOf } from '../../lib/ids/order-id.ts'
import { CommandError, UsageError } from '../failure.ts'
import { type Io, print, printJson } from '../io.ts'
import type { Db } from '../keys/key.ts'
import { formatSecond } from '../time.ts'

export async function show(io: Io, db: Db, args: string[]) {
  const options = { json: { type: 'boolean', default: false } } as const
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  const [id, ...rest] = positionals
  if (id === undefined || rest.length > 0) throw new UsageError('Name one order: petstore orders show ID')
  const { petId, status, expiresAt, closedAt, reference, placedBy, closedBy, ...order } = await requireOrder(db, id)
  const moment = (ms: bigint) => new Date(Number(ms))
  const placedAt = placedAtOf(order.id)
  if (values.json)
    return printJson(io, {
      id,
      petId: String(petId),
      status,
      placedAt,
      expiresAt: moment(expiresAt),
      ...(closedAt !== undefined && { closedAt: moment(closedAt) }),
      reference,
      placedBy,
      closedBy,
    })
  const facts: [name: string, value: string][] = [
    ['ID', id],
    ['PET', String(petId)],
    ['STATUS', status],
    ['PLACED', formatSecond(placedAt)],
    ['PLACED BY', await nameOf(db, placedBy)],
    ['EXPIRES', formatSecond(moment(expiresAt))],
  ]
  if (closedAt !== undefined)
    facts.push(['CLOSED', formatSecond(moment(closedAt))], ['CLOSED BY', await nameOf(db, closedBy)])
  if (reference !== undefined) facts.push(['REFERENCE', reference])
  print(io, facts.map(([name, value]) => `${name.padEnd(9)}  ${value}`).join('\n'))
}

/** The order with this id. If there is none, the command fails. */
async function requireOrder(db: Db, id: string) {
  const key = parseOrderId(id)
  const order = key && (await findOrder({ db }, key))
  if (!order || orderIdText(order) !== id)
    throw new CommandError(`There is no order ${JSON.stringify(id)}. Ids begin with ord_ and are case-sensitive.`)
  return order
}

async function nameOf(db: Db, keyId: string | undefined) {
  if (keyId === undefined) return 'no key'
  const key = await findKey({ db }, keyId)
  return key ? `${keyId} (${key.name})` : keyId
}
