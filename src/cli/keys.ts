import { readConfig } from '../config.ts'
import { connect } from '../service.ts'
import { UsageError } from './failure.ts'
import { expire, limit, revoke } from './keys/change.ts'
import { create } from './keys/create.ts'
import type { Db } from './keys/key.ts'
import { list } from './keys/list.ts'
import { rotate } from './keys/rotate.ts'
import { show } from './keys/show.ts'

const commands: Record<string, (db: Db, args: string[]) => Promise<void>> = {
  create,
  list,
  show,
  rotate,
  revoke,
  expire,
  limit,
}

export async function keys([name = '', ...args]: string[]) {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new UsageError('Say what to do with keys: create, list, show, rotate, revoke, expire or limit.')
  await using db = connect(readConfig().databaseUrl)
  await command(db, args)
  return 0
}
