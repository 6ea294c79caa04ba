import { parseArgs } from 'node:util'
import { rebuildWords } from '../domain/words.ts'
import { takeStore, withStore } from './database-url.ts'
import { CommandError, suggestion, UsageError } from './failure.ts'
import { type Io, print, stopRequested } from './io.ts'
import type { Db } from './keys/key.ts'
import { duration, showProgress } from './progress.ts'

export const USAGE = `petstore search rebuild [--store live|test]
    Makes the words again by which pets are found, from the names of all pets, and shows how far it is. Only needed if
    words are missing, since they are written together with each pet. Search works meanwhile, and says that it may be
    incomplete. If the command is stopped, the processes that serve finish the work.
`

export async function search(io: Io, [name = '', ...args]: string[]) {
  if (name !== 'rebuild') throw new UsageError(`Name a search command: rebuild.${suggestion(name, ['rebuild'])}`)
  parseArgs({ args: takeStore(args).args, options: {} })
  await withStore(io, args, (db) => rebuild(io, db))
  return 0
}

async function rebuild(io: Io, db: Db) {
  const stop = new AbortController()
  void stopRequested(io).then(() => stop.abort())
  const began = performance.now()
  let total = 0
  let left: number | undefined
  const progress = showProgress(
    io.stderr,
    () => (left === undefined ? undefined : { lines: total - left, rejected: 0, share: 1 - left / total }),
    'id',
  )
  try {
    await rebuildWords(
      { db },
      (now) => {
        left = now
        total = Math.max(total, now)
      },
      stop.signal,
    )
  } finally {
    progress.end()
  }
  if (stop.signal.aborted) throw new CommandError('Stopped. The processes that serve finish the work.')
  print(io, `Made the words of all pets again (${duration((performance.now() - began) / 1_000)}).`)
}
