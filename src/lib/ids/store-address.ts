/** Names a store, and is part of the text of its keys: `petk_<address>_…`. */
export type StoreAddress = 'live' | 'test'

/** The store that clients know by nothing but the service itself: no response, log line or cookie names it. */
export const DEFAULT_STORE: StoreAddress = 'live'

/** Where the configuration has the database of each. */
export const URL_VARIABLES: Record<StoreAddress, string> = { live: 'DATABASE_URL', test: 'SANDBOX_DATABASE_URL' }

/** The store that a key belongs to, by its text. Of a text that is no key, the default one, which needs no query to reject it. */
export function addressOf(text: string): StoreAddress {
  return text.startsWith('petk_test_') ? 'test' : DEFAULT_STORE
}

/** The address, where it is to be named. */
export function namedAddress(address: StoreAddress | undefined) {
  return address === DEFAULT_STORE ? undefined : address
}

/** Where the events of a store come from: receivers tell events apart by this and their ids, which two stores may both use. */
export function eventSource(baseUrl: string, address: StoreAddress) {
  const named = namedAddress(address)
  return named === undefined ? baseUrl : `${baseUrl}#${named}`
}
