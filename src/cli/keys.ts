import { DEFAULT_OPEN_ORDERS } from '../domain/orders.ts'
import { DEFAULT_SCOPES, ROLES, SCOPES } from '../domain/principal.ts'
import { suggestion, UsageError } from './failure.ts'
import type { Io } from './io.ts'
import { expire, limit, revoke } from './keys/change.ts'
import { create, DEFAULTS } from './keys/create.ts'
import { find } from './keys/find.ts'
import { list } from './keys/list.ts'
import { rotate } from './keys/rotate.ts'
import { show } from './keys/show.ts'
import { type KeyStores, withKeyStores } from './keys/stores.ts'
import { count } from './progress.ts'

const ROLE_LINES = Object.entries(ROLES).map(([role, scopes]) => `    ${role.padEnd(9)}${scopes.join(', ')}`)

export const USAGE = `petstore keys create --name NAME [--role ROLE | --scope SCOPE…] [--expires 90d] [--rate-limit 100/s] [--test]
    Creates a key and prints it, this once.

    --name         the name of the key in lists: 1 to 100 characters
    --scope        one of those below, or all; repeat it for more than one (default: ${DEFAULT_SCOPES.join(' and ')})
    --role         the scopes of a role below, in place of --scope. Only the scopes are stored
    --expires      90d, 12h, 30m, 45s or never (default: ${DEFAULTS.expires})
    --rate-limit   100/s, 6000/m, 50000/h or none; without it, RATE_LIMIT applies (default: ${DEFAULTS['rate-limit']})
    --test         create a key that begins with petk_test_, in the sandbox. Without one (petstore sandbox --help), test keys
                   read and write the same pets as live keys

    Scopes: ${SCOPES.join(', ')}

    Roles:
${ROLE_LINES.join('\n')}

petstore keys list
petstore keys show ID
    Lists all keys; shows one with every change made to it.
petstore keys find -
    Prints the id, name and state of the key on standard input.
petstore keys rotate ID [--overlap 24h]
    Creates a replacement. Both keys work until the overlap ends (default: 24h).
petstore keys revoke ID|-
    Revokes a key, or with - the one on standard input. Every process rejects it within a second.
    Webhooks that deliver for it are paused and listed.
petstore keys expire ID --in 7d|12h|30m|45s|never
petstore keys limit ID 100/s|6000/m|50000/h|none
petstore keys limit ID --open-orders 5000|default
    Sets when a key expires, its own rate limit, or how many open orders it may have, together with the keys it was rotated
    from or to (default: ${count(DEFAULT_OPEN_ORDERS)}).

All of them take --json for output that scripts can read. Test keys are looked for in the sandbox, if there is one.
`

const commands: Record<string, (io: Io, stores: KeyStores, args: string[]) => Promise<void>> = {
  create,
  list,
  find,
  show,
  rotate,
  revoke,
  expire,
  limit,
}

export async function keys(io: Io, [name = '', ...args]: string[]) {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command)
    throw new UsageError(
      `Name a keys command: create, list, show, find, rotate, revoke, expire or limit.${suggestion(name, Object.keys(commands))}`,
    )
  await withKeyStores(io, (stores) => command(io, stores, args))
  return 0
}
