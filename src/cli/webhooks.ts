import { withStore } from './database-url.ts'
import { suggestion, UsageError } from './failure.ts'
import type { Io } from './io.ts'
import { pause, remove, resume } from './webhooks/change.ts'
import { list } from './webhooks/list.ts'
import { show } from './webhooks/show.ts'
import type { Db } from './webhooks/webhook.ts'

export const USAGE = `petstore webhooks list
petstore webhooks show ID
    Lists all webhooks; shows one with its last attempts.
petstore webhooks pause ID
petstore webhooks resume ID [--key KEY_ID]
    Stops deliveries to a webhook; continues them where they stopped, at once, even if it was failing or disabled.
    If its key was revoked or has expired, name the key that it delivers for from now on.
petstore webhooks remove ID
    Deletes a webhook. What is being sent to it may still arrive, for up to 15 seconds.

All of them take --json for output that scripts can read, and --store test for the sandbox.
Clients create and change webhooks with the API.
`

const commands: Record<string, (io: Io, db: Db, args: string[]) => Promise<void>> = {
  list,
  show,
  pause,
  resume,
  remove,
}

export async function webhooks(io: Io, [name = '', ...args]: string[]) {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command)
    throw new UsageError(
      `Name a webhooks command: list, show, pause, resume or remove.${suggestion(name, Object.keys(commands))}`,
    )
  await withStore(io, args, (db, rest) => command(io, db, rest))
  return 0
}
