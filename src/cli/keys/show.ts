import { parseArgs } from 'node:util'
import { listKeyChanges } from '../../domain/key-changes.ts'
import { stateOf } from '../../domain/keys.ts'
import { formatRateLimit } from '../../lib/rate-limit.ts'
import { type Io, print, printJson } from '../io.ts'
import { table } from '../table.ts'
import { formatMinute, formatSecond } from '../time.ts'
import { mostOpen, readNamed, requireKey } from './key.ts'
import { type KeyStores, storeOf } from './stores.ts'

export async function show(io: Io, stores: KeyStores, args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false } },
  })
  const [id] = readNamed(positionals, 'show ID')
  const db = await storeOf(stores, id)
  const key = await requireKey(db, id)
  const changes = await listKeyChanges({ db }, id)
  if (values.json) return printJson(io, { ...key, changes })
  const facts: [name: string, value: string][] = [
    ['ID', key.id],
    ['NAME', key.name],
    ['MODE', key.mode],
    ['STATE', stateOf(key)],
    ['SCOPES', key.scopes.join(' ')],
    ['LIMIT', key.rateLimit ? formatRateLimit(key.rateLimit) : 'none of its own'],
    ['OPEN ORDERS', `${mostOpen(key)} at most`],
    ['CREATED', formatMinute(key.createdAt)],
    ['EXPIRES', formatMinute(key.expiresAt)],
    ['LAST USED', formatMinute(key.lastUsedAt)],
  ]
  if (key.revokedAt) facts.push(['REVOKED', formatMinute(key.revokedAt)])
  if (key.replacedBy !== null) facts.push(['REPLACED BY', key.replacedBy])
  print(io, facts.map(([name, value]) => `${name.padEnd(11)}  ${value}`).join('\n'))
  if (changes.length === 0) return print(io, '\nThis key was created before changes were recorded.')
  print(io)
  print(
    io,
    table(
      ['WHEN', 'WHAT', 'WHO', 'DETAIL'],
      changes.map(({ changedAt, what, who, detail }) => [formatSecond(changedAt), what, who, detail]),
    ),
  )
}
