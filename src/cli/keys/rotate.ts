import { parseArgs } from 'node:util'
import { rotateKey } from '../../domain/key-changes.ts'
import type { ApiKey } from '../../domain/types/key.ts'
import { parseDuration } from '../../lib/duration.ts'
import { CommandError, UsageError } from '../failure.ts'
import { type Io, print, printJson } from '../io.ts'
import { formatMinute } from '../time.ts'
import { expiry, operator, readNamed, requireKey } from './key.ts'
import { type KeyStores, storeOf } from './stores.ts'

export async function rotate(io: Io, stores: KeyStores, args: string[]) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { overlap: { type: 'string', default: '24h' }, json: { type: 'boolean', default: false } },
  })
  const [id] = readNamed(positionals, 'rotate ID')
  const overlap = parseDuration(values.overlap)
  if (overlap === undefined) throw new UsageError('--overlap takes 7d, 24h, 30m or 45s.')
  const db = await storeOf(stores, id)
  const made = await rotateKey({ db }, operator(), await requireKey(db, id), overlap)
  const old = await requireKey(db, id)
  if (!made) throw new CommandError(`The key ${id} (${old.name}) ${whyNot(old)}`)
  if (values.json) return printJson(io, { ...made, replaces: { id, expiresAt: old.expiresAt } })
  print(
    io,
    `Created the key ${made.id} (${made.name}) in place of ${id}; scopes: ${made.scopes.join(', ')}; ${expiry(made)}.

  ${made.key}

This is the only time it is shown. Store it like a password. Both keys work, and share one quota, until ${formatMinute(old.expiresAt)} UTC;
then the old one expires. Replace it everywhere before that: \`petstore keys show ${id}\` shows when it was last used.`,
  )
}

function whyNot({ revokedAt, replacedBy }: ApiKey) {
  if (replacedBy !== null)
    return `was replaced by ${replacedBy} already. Rotate that one: petstore keys rotate ${replacedBy}`
  const end = revokedAt ? 'was revoked' : 'has expired'
  return `${end}, and cannot be rotated. Create a new one: petstore keys create --name NAME`
}
