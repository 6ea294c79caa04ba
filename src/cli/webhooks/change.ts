import { atFeedEnd, deleteWebhook, setState, type Webhook } from '../../domain/webhooks.ts'
import { type Io, print, printJson } from '../io.ts'
import { type Db, readArgs, withWebhook } from './webhook.ts'

// For emergencies: a process that delivers notices within a second.

export async function pause(io: Io, db: Db, args: string[]) {
  const { id, json } = readArgs(args, 'pause')
  report(io, await withWebhook(id, async () => setState(await atFeedEnd(db), id, 'paused')), 'Paused', json)
}

export async function resume(io: Io, db: Db, args: string[]) {
  const { id, json } = readArgs(args, 'resume')
  report(io, await withWebhook(id, async () => setState(await atFeedEnd(db), id, 'active')), 'Resumed', json)
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
