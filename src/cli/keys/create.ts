import { parseArgs } from 'node:util'
import { createKey } from '../../domain/key-changes.ts'
import { SCOPES, type Scope } from '../../domain/principal.ts'
import { formatRateLimit } from '../../lib/rate-limit.ts'
import { UsageError } from '../failure.ts'
import { type Db, expiry, operator, print, readExpiry, readLimit } from './key.ts'

export async function create(db: Db, args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      name: { type: 'string', default: '' },
      scope: { type: 'string', multiple: true, default: [...SCOPES] },
      expires: { type: 'string', default: '365d' },
      'rate-limit': { type: 'string', default: 'none' },
      test: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  const created = await createKey({ db }, operator(), {
    name: readName(values.name),
    mode: values.test ? 'test' : 'live',
    scopes: [...new Set(values.scope.map(readScope))],
    expiresAt: readExpiry(values.expires, '--expires'),
    rateLimit: readLimit(values['rate-limit'], '--rate-limit'),
  })
  if (values.json) return print(created)
  const limit = created.rateLimit ? `, ${formatRateLimit(created.rateLimit)} at most` : ''
  console.log(`Created the key ${created.id} (${created.name}); it may ${created.scopes.join(' and ')}, ${expiry(created)}${limit}.

  ${created.key}

This is the only time it is shown. Keep it like a password.`)
}

function readName(name: string) {
  if (/^[^\p{Cc}]{1,100}$/u.test(name.trim())) return name.trim()
  throw new UsageError('Give the key a name of 1 to 100 characters, so that you know it again: --name NAME')
}

function readScope(scope: string): Scope {
  const known = SCOPES.find((candidate) => candidate === scope)
  if (!known)
    throw new UsageError(`There is no scope ${JSON.stringify(scope)}; the scopes are ${SCOPES.join(' and ')}.`)
  return known
}
