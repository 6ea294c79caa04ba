import { atFeedEnd, deleteWebhook, setState, type Webhook } from '../../domain/webhooks.ts'
import { type Db, print, readArgs, withWebhook } from './webhook.ts'

// For emergencies: a process that delivers notices within a second.

export async function pause(db: Db, args: string[]) {
  const { id, json } = readArgs(args, 'pause')
  report(await withWebhook(id, async () => setState(await atFeedEnd(db), id, 'paused')), 'Paused', json)
}

export async function resume(db: Db, args: string[]) {
  const { id, json } = readArgs(args, 'resume')
  report(await withWebhook(id, async () => setState(await atFeedEnd(db), id, 'active')), 'Resumed', json)
}

export async function remove(db: Db, args: string[]) {
  const { id, json } = readArgs(args, 'remove')
  await withWebhook(id, () => deleteWebhook({ db }, id))
  if (json) return print({ id })
  console.log(`Removed the webhook ${id}.`)
}

function report(webhook: Webhook, what: string, json: boolean) {
  if (json) return print(webhook)
  console.log(`${what} the webhook ${webhook.id} (${webhook.url}), which is ${webhook.behind} events behind.`)
}
