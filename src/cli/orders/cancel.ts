import { parseArgs } from 'node:util'
import { stateOf } from '../../domain/keys.ts'
import { cancelOrders, openOrdersOf } from '../../domain/order-cancellation.ts'
import { CommandError, UsageError } from '../failure.ts'
import { type Io, print, printError, printJson, stopRequested } from '../io.ts'
import { type Db, requireKey } from '../keys/key.ts'
import { count, many, showProgress } from '../progress.ts'

/** Gives back all pets that a key has reserved. */
export async function cancel(io: Io, db: Db, args: string[]) {
  const options = { key: { type: 'string', default: '' }, json: { type: 'boolean', default: false } } as const
  const { values } = parseArgs({ args, options })
  if (values.key === '') throw new UsageError('Name the key whose orders to cancel: petstore orders cancel --key key_…')
  const key = await requireKey(db, values.key)
  const open = await openOrdersOf({ db }, key.firstId)

  const stop = new AbortController()
  void stopRequested(io).then(() => stop.abort())
  let cancelled = 0
  const progress = showProgress(
    io.stderr,
    () => ({ share: open.count === 0 ? 1 : cancelled / open.count, lines: cancelled, rejected: 0 }),
    'order',
  )
  const onPart = (orders: number) => (cancelled += orders)
  const left = await cancelOrders({ db }, key.firstId, open, { onPart, signal: stop.signal }).finally(progress.end)

  if (left > 0)
    throw new CommandError(
      `Cancelled ${count(cancelled)} of ${many(open.count, 'open order')} of the key ${key.id} (${key.name}). ${stop.signal.aborted ? 'Stopped.' : 'Requests are changing the others.'} Run the same command to continue.`,
    )
  if (values.json) printJson(io, { id: key.id, cancelled })
  else print(io, `Cancelled ${many(cancelled, 'open order')} of the key ${key.id} (${key.name}).`)
  if (['active', 'replaced'].includes(stateOf(key)))
    printError(io, `The key still works and can place new orders. To end it: petstore keys revoke ${key.id}`)
}
