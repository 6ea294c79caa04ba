import type { PetstoreOptions } from './options.ts'

/** The key to send: another one than `rejected`, if there is another. */
export type KeySource = (rejected?: string) => string | undefined | Promise<string>

/** A function is asked for the first call, and again when the service has rejected its key; calls at the same time share what it returns. */
export function keySource(options: PetstoreOptions): KeySource {
  const { key } = options
  if (typeof key !== 'function') {
    // Absent on purpose, unlike an environment variable that is not set.
    if ('key' in options) checkKey(key)
    return () => key
  }
  let current: string | undefined
  let asking: Promise<string> | undefined
  const ask = async () => {
    const answer = await key()
    checkKey(answer)
    current = answer
    return answer
  }
  return (rejected) => {
    if (current !== undefined && current !== rejected) return current
    asking ??= ask().finally(() => {
      asking = undefined
    })
    return asking
  }
}

/** Finds the usual mistakes before the first request. No message repeats the key: messages end up in logs. */
function checkKey(key: unknown) {
  if (typeof key !== 'string' || key === '')
    throw new TypeError(
      '`key` is missing. Pass your API key as a string, or a function that returns it; is its environment variable set?',
    )
  if (/^petk_(?:live|test)_(?:[a-z][a-z0-9]*_)?(?:…|\.{3})$/.test(key))
    throw new TypeError('`key` is the example from the documentation. Replace it with your own API key.')
  if (/[^\x21-\x7e]/.test(key))
    throw new TypeError(
      '`key` contains whitespace, a line break or a character outside ASCII. Pass the API key and nothing else.',
    )
  // A later service may put the name of a store before the secret.
  if (!/^petk_(?:live|test)_(?:[a-z][a-z0-9]*_)?[0-9A-Za-z]+$/.test(key))
    throw new TypeError(
      '`key` is not an API key: those start with petk_live_ or petk_test_, followed by letters and digits.',
    )
}
