import { constants, openSync, rmSync } from 'node:fs'
import { lstat } from 'node:fs/promises'
import { errorCode, errorMessage } from '../lib/errors.ts'
import { CommandError } from './failure.ts'

const { O_CREAT, O_EXCL, O_NOFOLLOW, O_WRONLY } = constants
const OWNER_ONLY = 0o600

/** Nothing is replaced unless that is asked for. */
export async function refuseExisting(path: string, instead = 'Choose another name.') {
  const existing = await lstat(path).catch(() => undefined)
  if (existing) throw new CommandError(`${path} exists already. ${instead}`)
}

/** A new file beside `path`, for what is not whole yet. It follows no link that somebody has put there. */
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
