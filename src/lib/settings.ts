import { didYouMean } from './did-you-mean.ts'

// Shorter names resemble variables of other programs.
const MIN_GUESS_LENGTH = 6
// Set by Kubernetes for a service of this name.
const FROM_KUBERNETES = /_(?:SERVICE_(?:HOST|PORT)|PORT)(?:_|$)/

/** Warnings about unknown variables that look like mistyped settings, with the probable setting. */
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
  const guessable = known.filter(({ length }) => length >= MIN_GUESS_LENGTH)
  return didYouMean(
    bare,
    guessable.map((candidate) => candidate.toLowerCase()),
  )?.toUpperCase()
}

function squashed(name: string) {
  return name.toUpperCase().replaceAll(/[^A-Z0-9]/g, '')
}

/** The hint for an invalid URL whose password may be the reason. Repeats nothing of the URL. */
export function passwordHint(url = '') {
  const hasReserved = /:\/\/.*[@#/?].*@/s.test(url)
  return hasReserved ? '. In a user or password, write @ as %40, # as %23, / as %2F, ? as %3F and % as %25' : ''
}

/** A URL that is safe to log: without user, password and parameters, each of which may be secret. */
export function withoutSecrets(url: string) {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}

export function isLoopback(host: string) {
  return /^(?:localhost|127(?:\.[0-9]{1,3}){3}|::1)$/.test(host)
}

/** `HH:MM`, by a clock of 24 hours. */
export function parseTimeOfDay(text: string) {
  return /^(?:[01][0-9]|2[0-3]):[0-5][0-9]$/.test(text) ? text : undefined
}
