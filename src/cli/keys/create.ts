import { parseArgs } from 'node:util'
import { createKey, type NewKey } from '../../domain/key-changes.ts'
import { DEFAULT_SCOPES, ROLES, SCOPES, type Scope } from '../../domain/principal.ts'
import { LOOKS_LIKE_KEY } from '../../lib/ids/key-format.ts'
import { formatRateLimit } from '../../lib/rate-limit.ts'
import { UsageError } from '../failure.ts'
import { type Io, print, printJson } from '../io.ts'
import { expiry, operator, readExpiry, readLimit, TEST_KEY_NOTE } from './key.ts'
import { type KeyStores, testStore } from './stores.ts'

const SANDBOX_NOTE = 'It reads and writes the sandbox only.'

export const DEFAULTS = { expires: '365d', 'rate-limit': 'none' }

export async function create(io: Io, stores: KeyStores, args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      name: { type: 'string', default: '' },
      scope: { type: 'string', multiple: true },
      role: { type: 'string' },
      expires: { type: 'string', default: DEFAULTS.expires },
      'rate-limit': { type: 'string', default: DEFAULTS['rate-limit'] },
      test: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  const newKey: NewKey = {
    name: readName(values.name),
    mode: values.test ? 'test' : 'live',
    scopes: readScopes(values),
    expiresAt: readExpiry(values.expires, '--expires'),
    rateLimit: readLimit(values['rate-limit'], '--rate-limit'),
  }
  const db = values.test ? await testStore(stores) : stores.live
  const created = await createKey({ db }, operator(), newKey)
  if (values.json) return printJson(io, created)
  const limit = created.rateLimit ? `; limit: ${formatRateLimit(created.rateLimit)}` : ''
  const note = values.test ? ` ${stores.sandbox ? SANDBOX_NOTE : TEST_KEY_NOTE}` : ''
  print(
    io,
    `Created the key ${created.id} (${created.name}); scopes: ${created.scopes.join(', ')}; ${expiry(created)}${limit}.

  ${created.key}

This is the only time it is shown. Store it like a password.${note}`,
  )
}

function readName(name: string) {
  if (LOOKS_LIKE_KEY.test(name)) throw new UsageError('A name is stored and listed: it must not contain an API key.')
  if (/^[^\p{Cc}]{1,100}$/u.test(name.trim())) return name.trim()
  throw new UsageError('Give the key a name of 1 to 100 characters, to recognise it by: --name NAME')
}

function readScopes({ role, scope }: { role?: string | undefined; scope?: string[] | undefined }) {
  if (role === undefined) return [...new Set((scope ?? DEFAULT_SCOPES).flatMap(readScope))]
  if (scope !== undefined)
    throw new UsageError(
      '--role and --scope cannot be combined: a role stands for scopes. Name the scopes, or the role.',
    )
  const known = Object.entries(ROLES).find(([name]) => name === role)
  if (!known)
    throw new UsageError(`There is no role ${JSON.stringify(role)}; the roles are ${Object.keys(ROLES).join(', ')}.`)
  return [...known[1]]
}

/** `all` stands for the scopes of today: a key never gains those of a later version. */
function readScope(scope: string): readonly Scope[] {
  if (scope === 'all') return SCOPES
  const known = SCOPES.find((candidate) => candidate === scope)
  if (!known)
    throw new UsageError(`There is no scope ${JSON.stringify(scope)}; the scopes are ${SCOPES.join(', ')}, and all.`)
  return [known]
}
