import { parseArgs } from 'node:util'
import { DomainError } from '../../domain/errors.ts'
import { parseWebhookId } from '../../lib/ids/webhook-id.ts'
import type { connect } from '../../service.ts'
import { CommandError, UsageError } from '../failure.ts'

export type Db = ReturnType<typeof connect>

/** Why a webhook was paused by the service, as the end of a sentence about its key. */
export const ENDS = {
  key_revoked: 'was revoked',
  key_expired: 'has expired',
  key_scope: 'lacks a scope',
}

const json = { type: 'boolean', default: false } as const

/** The id of one webhook, and whether the output is for scripts. */
export function readArgs(args: string[], command: string) {
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options: { json } })
  return { id: readId(positionals, command), json: values.json }
}

/** The same with the id of a key, if one is given. */
export function readArgsWithKey(args: string[], command: string) {
  const options = { json, key: { type: 'string' } } as const
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  return { id: readId(positionals, command), json: values.json, key: values.key }
}

function readId([id, ...rest]: string[], command: string) {
  if (id === undefined || rest.length > 0) throw new UsageError(`Name one webhook: petstore webhooks ${command} ID`)
  return id
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
