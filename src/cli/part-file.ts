import { constants, openSync, rmSync } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { errorCode, errorMessage } from '../lib/errors.ts'
import { CommandError } from './failure.ts'

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants
const OWNER_ONLY = 0o600

/** Files are replaced only on request. */
export async function rejectExisting(path: string, instead = 'Choose another name.') {
  const existing = await lstat(path).catch(() => undefined)
  if (existing) throw new CommandError(`${path} exists already. ${instead}`)
}

/** Creates `path.part`, for content that is not complete yet. Does not follow a link that another user may have planted. */
export function openPart(path: string) {
  const part = `${path}.part`
  try {
    return { path: part, fd: openSync(part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, OWNER_ONLY) }
  } catch (error) {
    if (errorCode(error) === 'EEXIST')
      throw new CommandError(`${part} exists: another command is writing it, or was killed. If none is, remove it.`)
    throw new CommandError(`Can't write ${path}: ${errorMessage(error)}`)
  }
}

export function removePart(part: string) {
  rmSync(part, { force: true })
}
