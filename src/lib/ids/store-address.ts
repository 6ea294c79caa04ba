/** Names a store, and is part of the text of its keys: `petk_<address>_…`. */
export type StoreAddress = 'live' | 'test'

/** Where the configuration has the database of each. */
export const URL_VARIABLES: Record<StoreAddress, string> = { live: 'DATABASE_URL', test: 'SANDBOX_DATABASE_URL' }

const TEST = 'petk_test_'

/** The store that a key belongs to, by its text. Of a text that is no key, the default one, which needs no query to reject it. */
export function addressOf(text: string): StoreAddress {
  return text.startsWith(TEST) ? 'test' : 'live'
}
