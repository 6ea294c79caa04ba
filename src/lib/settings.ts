import { didYouMean } from './did-you-mean.ts'

// So short that other programs have names like them.
const SHORTEST_GUESS = 6
// What Kubernetes sets for a service of this name.
const FROM_KUBERNETES = /_(?:SERVICE_(?:HOST|PORT)|PORT)(?:_|$)/

/** Warnings about variables that are not ours but look as if they were meant to be, each with the name that was meant. */
export function suspectVariables(names: readonly string[], known: readonly string[]) {
  return names.flatMap((name) => {
    if (known.includes(name)) return []
    const meant = meantBy(name, known)
    if (meant !== undefined) return `${name} is not a setting and has no effect. Did you mean ${meant}?`
    return name.startsWith('PETSTORE_') && !FROM_KUBERNETES.test(name)
      ? `${name} is not a setting and has no effect.`
      : []
  })
}

function meantBy(name: string, known: readonly string[]) {
  const bare = name.replace(/^PETSTORE_/, '')
  const same = known.find((candidate) => squashed(candidate) === squashed(bare))
  if (same !== undefined) return FROM_KUBERNETES.test(name) ? undefined : same
  const guessable = known.filter(({ length }) => length >= SHORTEST_GUESS)
  return didYouMean(
    bare,
    guessable.map((candidate) => candidate.toLowerCase()),
  )?.toUpperCase()
}

function squashed(name: string) {
  return name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
}

/** A URL as it may be logged: without user, password and parameters, each of which may be a secret. */
export function withoutSecrets(url: string) {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

export function isLoopback(host: string) {
  return /^(?:localhost|127(?:\.[0-9]{1,3}){3}|::1)$/.test(host)
}
