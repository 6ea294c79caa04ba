import type { connect } from '../service.ts'
import { withStore } from './database-url.ts'
import { suggestion, UsageError } from './failure.ts'
import type { Io } from './io.ts'
import { cancel } from './orders/cancel.ts'
import { show } from './orders/show.ts'

export const USAGE = `petstore orders show ID
    Shows an order, and which keys placed and closed it.
petstore orders cancel --key KEY
    Cancels all open orders that were placed with a key or with one that it was rotated from or to. Their pets become
    available again, and each order has its event. Ctrl-C stops between two parts; the same command continues.

    --key   the id of the key: key_…

Both take --json for output that scripts can read, and --store test for the sandbox.
Clients place and close orders with the API.
`

const commands: Record<string, (io: Io, db: ReturnType<typeof connect>, args: string[]) => Promise<void>> = {
  show,
  cancel,
}

export async function orders(io: Io, [name = '', ...args]: string[]) {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command)
    throw new UsageError(`Name an orders command: show or cancel.${suggestion(name, Object.keys(commands))}`)
  await withStore(io, args, (db, rest) => command(io, db, rest))
  return 0
}
