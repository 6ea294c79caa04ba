import type { Key } from '@petstore/client'
import { signal } from '@preact/signals'
import { texts } from './texts.ts'
import { notify } from './ui/toast.tsx'

/** `ended`: the session is over, and the work continues when the person has signed in again. */
type State = 'unknown' | 'signedOut' | 'signedIn' | 'ended'

interface Session {
  /** Whom to ask about keys: an address as a URL. */
  contact?: string
  key: Key | null
  isSandbox?: boolean
  endsAt?: string
  /** When the shop closes, as `18:00`. */
  closingTime?: string
}

const PATH = '/console/session'
/** A check that hangs would keep the feed from beginning again. */
const CHECK_TIMEOUT_MS = 10_000
/** The last session. It has no secret, and is enough to show a screen before the service responds. Other tabs notice its changes. */
const REMEMBERED = 'petstore.session'
/** Stored in its place when the person signs out, which ends the work in all tabs. */
const SIGNED_OUT = ''

export const state = signal<State>('unknown')
export const key = signal<Key | undefined>(undefined)
/** Whether the key is of a sandbox: a test key is, where there is one. */
export const isSandbox = signal(false)

/** When the shop closes; so until a session says otherwise. */
const closingTime = signal('18:00')

/** The moment at which the shop closes on the day of `now`, in the time zone of this browser. */
export function closingOn(now: Date) {
  const [hour = 18, minute = 0] = closingTime.value.split(':').map(Number)
  return new Date(now.getFullYear(), now.getMonth(), now.getDate(), hour, minute)
}

/** Whom to ask about keys, if the service knows: a URL. */
export const contact = signal<string | undefined>(undefined)

/** Whether the key of this session has a scope. */
export const can = (scope: Key['scopes'][number]) => key.value?.scopes.includes(scope) ?? false

/** False while a remembered session is only assumed to be open. */
let isConfirmed = false
/** The page is about to be loaded again, after a sign-out or for another key: nothing may be sent any more. */
export let isLeaving = false
let checking: Promise<void> | undefined
/** Requests that wait for a sign-in. */
let waiting = Promise.withResolvers<void>()

export function openSession() {
  recall()
  addEventListener('storage', (event) => {
    if (event.key !== REMEMBERED) return
    const { key: other } = parse(event.newValue)
    if (event.newValue === SIGNED_OUT || (other && isAnother(other))) startOver()
    else void checkSession()
  })
  return checkSession()
}

/** Asks the service who is signed in. Without a response nothing changes. */
export function checkSession() {
  checking ??= ask().finally(() => {
    checking = undefined
  })
  return checking
}

/** Resolves with the message of the service if it rejects the key. The key is sent once, in a header, and stored nowhere. */
export async function signIn(apiKey: string): Promise<string | undefined> {
  const response = await fetch(PATH, { method: 'POST', headers: { authorization: `Bearer ${apiKey}` } })
  const body = (await response.json()) as Session & { message?: string }
  if (response.status === 429) return texts.common.tooMany(Number(response.headers.get('retry-after')))
  if (!response.ok) return body.message ?? response.statusText
  apply(body)
  return undefined
}

export async function signOut() {
  // Keeps nothing of the ended session that could be used.
  const wasOpen = state.value !== 'ended'
  if (!(await drop()) && wasOpen) return notify(texts.frame.signOutFailed, { isError: true })
  localStorage.setItem(REMEMBERED, SIGNED_OUT)
  startOver()
}

/** Ends the session in place: the person can sign in again and continue. */
export async function endSession() {
  if (await drop()) apply({ key: null })
}

/** Resolves with whether the service has ended the session. Until it has, the cookie can be used. */
async function drop() {
  const response = await fetch(PATH, { method: 'DELETE' }).catch(() => undefined)
  return response?.ok ?? false
}

/**
 * For a request that was rejected without a session: resolves when there is one of the same key again, and rejects if the remembered one is
 * over.
 */
export async function sessionAgain() {
  await checkSession()
  if (state.value !== 'signedIn') await waiting.promise
}

async function ask() {
  const session = await fetch(PATH, { cache: 'no-store', signal: AbortSignal.timeout(CHECK_TIMEOUT_MS) })
    .then((response) => (response.ok ? (response.json() as Promise<Session>) : undefined))
    .catch(() => undefined)
  if (session) apply(session)
  else if (state.value === 'unknown') state.value = 'signedOut'
}

function apply(session: Session) {
  if (isLeaving) return
  contact.value = session.contact
  if (session.key && isAnother(session.key)) {
    remember(session)
    startOver()
    return
  }
  if (session.key) {
    isConfirmed = true
    isSandbox.value = session.isSandbox ?? false
    // Unchanged, it must not render everything again.
    if (JSON.stringify(session.key) !== JSON.stringify(key.value)) key.value = session.key
    closingTime.value = session.closingTime ?? closingTime.value
    state.value = 'signedIn'
    waiting.resolve()
    remember(session)
    return
  }
  if (state.value === 'signedIn') waiting = Promise.withResolvers<void>()
  // A session that this page has used ends in place; what was typed stays.
  state.value = isConfirmed ? 'ended' : 'signedOut'
  if (isConfirmed) return
  key.value = undefined
  localStorage.removeItem(REMEMBERED)
  waiting.promise.catch(() => {})
  waiting.reject(new Error('Signed out.'))
}

/** Whether a key other than that of this page is signed in. */
const isAnother = ({ id }: Key) => isConfirmed && key.value !== undefined && key.value.id !== id

/**
 * Work that one person began must not be done with the key of another, and what one has seen must not be shown to another. So requests that
 * wait for a session wait until the page is gone.
 */
function startOver() {
  isLeaving = true
  location.reload()
}

function remember(session: Session) {
  const text = JSON.stringify(session)
  if (text !== localStorage.getItem(REMEMBERED)) localStorage.setItem(REMEMBERED, text)
}

/** Shows the screen for the last session while the service is asked: rows are there one round trip earlier. */
function recall() {
  const { key: last, endsAt = '', closingTime: closing, isSandbox: was } = parse(localStorage.getItem(REMEMBERED))
  if (!last || Date.parse(endsAt) <= Date.now()) return
  isSandbox.value = was ?? false
  key.value = last
  closingTime.value = closing ?? closingTime.value
  state.value = 'signedIn'
}

/** What is stored may have been damaged, or written by another version of this page. */
function parse(text: string | null): Session {
  try {
    const session = JSON.parse(text ?? '') as Session
    return Array.isArray(session.key?.scopes) ? session : { key: null }
  } catch {
    return { key: null }
  }
}
