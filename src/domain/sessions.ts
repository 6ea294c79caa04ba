import type { Caller } from '../lib/batch.ts'
import { hashToken, isWellFormedToken, newSessionToken } from '../lib/ids/session-token.ts'
import { endAll, listOpen } from '../storage/sessions/statements.ts'
import { DomainError } from './errors.ts'
import { principalOf } from './keys.ts'
import type { Principal } from './principal.ts'
import type { Store } from './store.ts'

/** A person who is signed in to the console. */
export interface Session {
  principal: Principal
  endsAt: Date
}

/** What a session is found with: the secret from the cookie of a browser. */
type Token = string

type SessionStore = Pick<Store, 'sessions' | 'keys' | 'keyUses' | 'keyModes'>

/** The token belongs to no session: it was made up, or its session was removed. */
export class UnknownSession extends DomainError {
  override name = 'UnknownSession'

  constructor() {
    super('invalid_credentials', 'The console session is not valid. Sign in again.')
  }
}

/**
 * Signs in. The token is always new, never the one that the browser sent, which prevents session fixation. The session that the browser
 * had before ends.
 */
export async function beginSession({ sessions }: SessionStore, principal: Principal, previous: Token | undefined) {
  const token = newSessionToken()
  const replaced = previous !== undefined && isWellFormedToken(previous) ? hashToken(previous) : undefined
  const endsAt = await sessions.insert(hashToken(token), principal.keyId, replaced)
  return { token, endsAt }
}

/**
 * The session of a token, which is as good as its key: revoking the key, its scopes and its limit apply at once. `isActivity`: a person
 * did something, so the session is not idle.
 */
export async function findSession(
  store: SessionStore,
  token: Token,
  isActivity: boolean,
  caller?: Caller,
): Promise<Session> {
  if (!isWellFormedToken(token)) throw new UnknownSession()
  const hash = hashToken(token)
  const row = await store.sessions.find(hash, caller)
  if (!row) throw new UnknownSession()
  if (row.hasEnded) throw new DomainError('expired_credentials', 'The console session has ended. Sign in again.')
  const key = await store.keys.findById(row.keyId, caller)
  // A cookie does not name the mode of its key, as the text of a key does.
  if (key && !store.keyModes.includes(key.mode)) throw new UnknownSession()
  const principal = principalOf(store, key)
  if (row.isDue && isActivity) store.sessions.note(hash)
  return { principal, endsAt: row.endsAt }
}

/** Signs out. */
export async function endSession({ sessions }: SessionStore, token: Token, caller?: Caller) {
  if (!isWellFormedToken(token)) throw new UnknownSession()
  const hash = hashToken(token)
  // Reads are shared, so tokens that were made up cost little; a write for each would not.
  if (!(await sessions.find(hash, caller))) throw new UnknownSession()
  await sessions.end(hash)
}

/** The sessions that work now. */
export async function listSessions({ db }: Pick<Store, 'db'>) {
  return listOpen(db)
}

/** Ends the sessions of this key, or all of them, on every process at once. Returns how many. */
export async function endSessions({ db }: Pick<Store, 'db'>, keyId: string | undefined) {
  return endAll(db, keyId)
}
