import { readdirSync, readFileSync } from 'node:fs'
import { SECRET as EXAMPLE } from '../../src/http/webhooks/examples.ts'

// Every test that starts the service, or calls it, lets this see what comes out: logs, errors, metrics, and the list of
// processes. A test file in which a secret was seen fails at its end.
const leaks = new Set<string>()
// Not in `after`: what fails there keeps what comes behind it from being closed.
process.once('exit', () => {
  if (leaks.size === 0) return
  console.error(`A secret came out of this: ${[...leaks].join(', ')}`)
  process.exitCode = 1
})

/** Whatever looks like a key, or the secret of a webhook, is one: nothing that comes out of the service may, not even a wrong one. */
const KEY = /petk_(?:live|test)_(?:[a-z][a-z0-9]{0,19}_)?[0-9A-Za-z]{36}|whsec_[0-9A-Za-z+/]{43}=/

/** What else must not come out, as the tests get to know it. */
const others = new Set<string>()

/** So short that it may stand in a text by chance. */
const SHORTEST = 12

/** A password, or a key of another kind, that a test works with. */
export function keepSecret(secret: string | undefined) {
  if (secret !== undefined && secret.length >= SHORTEST) others.add(secret)
}

/** The password in the address of a database. */
export function keepPasswordSecret(databaseUrl: string | undefined) {
  keepSecret(URL.parse(databaseUrl ?? '')?.password)
}

/** Looks at something that came out. */
export function watch(where: string, text: string) {
  if (secretIn(text) !== undefined) leaks.add(where)
}

export function secretIn(text: string) {
  // The document has an example, which is no webhook's.
  return KEY.exec(text.replaceAll(EXAMPLE, ''))?.[0] ?? others.values().find((secret) => text.includes(secret))
}

/** Looks at what everybody on the machine can read about a process and those that it has started. */
export function watchProcess(pid: number | undefined) {
  if (process.platform !== 'linux' || pid === undefined) return
  try {
    watch('the list of processes', readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' '))
    const children = readdirSync(`/proc/${pid}/task`).map((id) =>
      readFileSync(`/proc/${pid}/task/${id}/children`, 'utf8'),
    )
    for (const child of children.join(' ').split(' ').filter(Boolean)) watchProcess(Number(child))
  } catch {
    // It has ended meanwhile.
  }
}
