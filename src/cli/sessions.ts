import { parseArgs } from 'node:util'
import { endSessions, listSessions } from '../domain/sessions.ts'
import { withStore } from './database-url.ts'
import { suggestion, UsageError } from './failure.ts'
import { type Io, print, printJson } from './io.ts'
import { type Db, requireKey } from './keys/key.ts'
import { many } from './progress.ts'
import { table } from './table.ts'
import { formatSecond } from './time.ts'

export const USAGE = `petstore sessions list
    Lists who is signed in to the console: by key, with the last use, which is recorded about once a minute.
petstore sessions end --key KEY
petstore sessions end --all
    Ends the sessions of a key, or all sessions, at once. The key itself still works, and can sign in again.

    --key   the id of the key: key_…
    --all   end the sessions of all keys

Both take --json for output that scripts can read, and --store test for the sandbox.
`

const commands: Record<string, (io: Io, db: Db, args: string[]) => Promise<void>> = { list, end }

export async function sessions(io: Io, [name = '', ...args]: string[]) {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new UsageError(`Name a sessions command: list or end.${suggestion(name, Object.keys(commands))}`)
  await withStore(io, args, (db, rest) => command(io, db, rest))
  return 0
}

async function list(io: Io, db: Db, args: string[]) {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } })
  const all = await listSessions({ db })
  if (values.json) return printJson(io, all)
  if (all.length === 0) return print(io, 'Nobody is signed in to the console.')
  print(
    io,
    table(
      ['KEY', 'NAME', 'SIGNED IN', 'LAST USED', 'ENDS'],
      all.map(({ keyId, keyName, createdAt, lastSeenAt, endsAt }) => [
        keyId,
        keyName,
        formatSecond(createdAt),
        formatSecond(lastSeenAt),
        formatSecond(endsAt),
      ]),
    ),
  )
}

async function end(io: Io, db: Db, args: string[]) {
  const options = {
    key: { type: 'string' },
    all: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
  } as const
  const { key, all, json } = parseArgs({ args, options }).values
  if ((key === undefined) === !all)
    throw new UsageError('Say which sessions to end: petstore sessions end --key key_…, or petstore sessions end --all')
  const keyId = key === undefined ? undefined : (await requireKey(db, key)).id
  const ended = await endSessions({ db }, keyId)
  if (json) return printJson(io, { ended })
  print(io, `Ended ${many(ended, 'session')}${keyId === undefined ? '' : ` of the key ${keyId}`}.`)
}
