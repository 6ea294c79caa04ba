import { parseArgs } from 'node:util'
import { DomainError } from '../../domain/errors.ts'
import { parseWebhookId } from '../../lib/webhook-id.ts'
import type { connect } from '../../service.ts'
import { CommandError, UsageError } from '../failure.ts'

export type Db = ReturnType<typeof connect>

/** The id of one webhook, and whether the output is for scripts. */
export function readArgs(args: string[], command: string) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { json: { type: 'boolean', default: false } },
  })
  const [id, ...rest] = positionals
  if (id === undefined || rest.length > 0) throw new UsageError(`Name one webhook: petstore webhooks ${command} ID`)
  return { id, json: values.json }
}

/** What is done with this webhook. If there is none, the command fails with what to do. */
export async function withWebhook<T>(id: string, work: () => Promise<T>) {
  // Not repeated: it may be a secret.
  if (parseWebhookId(id) === undefined)
    throw new CommandError('This is not the id of a webhook (wh_…). See `petstore webhooks list`.')
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof DomainError && error.code === 'webhook_not_found')) throw error
    throw new CommandError(`There is no webhook ${id}. See \`petstore webhooks list\`.`)
  }
}

/** A time as an operator reads it, in UTC. */
export function second(iso: string | undefined) {
  return iso === undefined ? '-' : iso.slice(0, 19).replace('T', ' ')
}
