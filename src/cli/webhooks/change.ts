import { findKey, stateOf } from '../../domain/keys.ts'
import type { Webhook } from '../../domain/types/webhook.ts'
import {
  atFeedEnd,
  deleteWebhook,
  findEndOfKey,
  missingScopes,
  pauseWebhook,
  resumeWebhook,
} from '../../domain/webhooks.ts'
import { CommandError } from '../failure.ts'
import { type Io, print, printJson } from '../io.ts'
import { type Db, ENDS, readArgs, readArgsWithKey, withWebhook } from './webhook.ts'

// For emergencies: a process that delivers notices within a second.

export async function pause(io: Io, db: Db, args: string[]) {
  const { id, json } = readArgs(args, 'pause')
  report(io, await withWebhook(id, async () => pauseWebhook(await atFeedEnd(db), id)), 'Paused', json)
}

/** For the key that changed it last, if that or its replacement is valid; otherwise the operator names another one. */
export async function resume(io: Io, db: Db, args: string[]) {
  const { id, json, key } = readArgsWithKey(args, 'resume')
  if (key !== undefined) await requireKeyForWebhooks(db, key)
  const webhook = await withWebhook(id, async () => {
    const end = key === undefined ? await findEndOfKey({ db }, id) : undefined
    if (end) throw new CommandError(`Its key ${ENDS[end]}. ${NAME_KEY} petstore webhooks resume ${id} --key ID`)
    return resumeWebhook(await atFeedEnd(db), id, key)
  })
  report(io, webhook, 'Resumed', json)
}

const NAME_KEY =
  'Name another one, which must have the scopes webhooks:manage and events:read (see `petstore keys list`):'

async function requireKeyForWebhooks(db: Db, id: string) {
  const key = await findKey({ db }, id)
  if (!key) throw new CommandError('There is no key with this id. See `petstore keys list`.')
  const state = stateOf(key)
  if (state === 'revoked' || state === 'expired')
    throw new CommandError(`The key ${key.id} (${key.name}) is ${state}. Name another one: \`petstore keys list\``)
  const missing = missingScopes(key)
  if (missing.length > 0)
    throw new CommandError(`The key ${key.id} (${key.name}) lacks ${missing.join(' and ')}. Name another one.`)
}

export async function remove(io: Io, db: Db, args: string[]) {
  const { id, json } = readArgs(args, 'remove')
  await withWebhook(id, () => deleteWebhook({ db }, id))
  if (json) return printJson(io, { id })
  print(io, `Removed the webhook ${id}.`)
}

function report(io: Io, webhook: Webhook, what: string, json: boolean) {
  if (json) return printJson(io, webhook)
  print(io, `${what} the webhook ${webhook.id} (${webhook.url}), which is ${webhook.behind} events behind.`)
}
