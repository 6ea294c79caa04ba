import { parseArgs } from 'node:util'
import { readConfig } from '../config.ts'
import { type ApiKey, createKey, listKeys, revokeKey } from '../domain/keys.ts'
import { SCOPES, type Scope } from '../domain/principal.ts'
import { parseDuration } from '../lib/duration.ts'
import { connect } from '../service.ts'
import { CommandError, UsageError } from './failure.ts'
import { table } from './table.ts'

type Db = ReturnType<typeof connect>

const commands: Record<string, (db: Db, args: string[]) => Promise<void>> = { create, list, revoke }

export async function keys([name = '', ...args]: string[]) {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new UsageError('Say what to do with keys: create, list or revoke.')
  await using db = connect(readConfig().databaseUrl)
  await command(db, args)
  return 0
}

async function create(db: Db, args: string[]) {
  const { values } = parseArgs({
    args,
    options: {
      name: { type: 'string', default: '' },
      scope: { type: 'string', multiple: true, default: [...SCOPES] },
      expires: { type: 'string', default: '365d' },
      test: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
    },
  })
  const created = await createKey(
    { db },
    {
      name: readName(values.name),
      mode: values.test ? 'test' : 'live',
      scopes: [...new Set(values.scope.map(readScope))],
      expiresAt: readExpiry(values.expires),
    },
  )
  if (values.json) return print(created)
  console.log(`Created the key ${created.id} (${created.name}); it may ${created.scopes.join(' and ')}, ${expiry(created)}.

  ${created.key}

This is the only time it is shown. Keep it like a password.`)
}

async function list(db: Db, args: string[]) {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } })
  const all = await listKeys({ db })
  if (values.json) return print(all)
  if (all.length === 0) return console.log('There are no keys yet: petstore keys create --name NAME')
  console.log(
    table(
      ['ID', 'NAME', 'MODE', 'STATE', 'SCOPES', 'CREATED', 'EXPIRES', 'LAST USED'],
      all.map((key) => [
        key.id,
        key.name,
        key.mode,
        stateOf(key),
        key.scopes.join(' '),
        day(key.createdAt),
        day(key.expiresAt),
        minute(key.lastUsedAt),
      ]),
    ),
  )
}

async function revoke(db: Db, args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false } },
  })
  const [id, ...rest] = positionals
  if (id === undefined || rest.length > 0) throw new UsageError('Name one key: petstore keys revoke ID')
  const revoked = await revokeKey({ db }, id)
  if (!revoked) throw new CommandError(`There is no key ${JSON.stringify(id)}. See \`petstore keys list\`.`)
  if (values.json) return print(revoked)
  console.log(`Revoked the key ${revoked.id} (${revoked.name}). Every process refuses it within a second.`)
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

function readExpiry(text: string) {
  if (text === 'never') return null
  const duration = parseDuration(text)
  if (duration === undefined) throw new UsageError('--expires takes 90d, 12h, 30m, 45s, or never.')
  return new Date(Date.now() + duration)
}

function stateOf({ revokedAt, expiresAt }: ApiKey) {
  if (revokedAt) return 'revoked'
  return expiresAt && expiresAt.getTime() <= Date.now() ? 'expired' : 'active'
}

function expiry({ expiresAt }: ApiKey) {
  return expiresAt ? `until ${minute(expiresAt)} UTC` : 'without end'
}

function day(date: Date | null) {
  return date ? date.toISOString().slice(0, 10) : 'never'
}

function minute(date: Date | null) {
  return date ? date.toISOString().slice(0, 16).replace('T', ' ') : 'never'
}

function print(value: unknown) {
  console.log(JSON.stringify(value))
}
