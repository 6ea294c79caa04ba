// Clauses, reports and curl lines name keys by shell variables. Only the wire knows what they stand for.
export const KEY = '$PETSTORE_KEY'
/** The key followed by another character. */
export const LONGER_KEY = '$'.concat('{PETSTORE_KEY}x')
/** The key without its last character. */
export const SHORTER_KEY = '$'.concat('{PETSTORE_KEY%?}')
export const READ_KEY = '$PETSTORE_READ_KEY'
export const PETS_KEY = '$PETSTORE_PETS_KEY'

/** Keys that a run can do without: one that may only read, and one that may read and create pets. */
export type OtherKey = 'readKey' | 'petsKey'

export interface Keys extends Partial<Record<OtherKey, string | undefined>> {
  key: string
}

export const PLACEHOLDER =
  /\$\{PETSTORE_KEY%\?\}|\$\{PETSTORE_KEY\}|\$PETSTORE_READ_KEY|\$PETSTORE_PETS_KEY|\$PETSTORE_KEY/

/** The text as it is sent. */
export function fillIn(text: string, { key, readKey = '', petsKey = '' }: Keys) {
  return text.replaceAll(new RegExp(PLACEHOLDER, 'g'), (name) => {
    if (name === READ_KEY) return readKey
    if (name === PETS_KEY) return petsKey
    return name === SHORTER_KEY ? key.slice(0, -1) : key
  })
}

/** Of a webhook, also one that a service has created although it should not have. */
const WEBHOOK_SECRET = /whsec_[\w+/=\\-]+/g

/** The text as it may be shown: a service can repeat a key in a response, a report must not. Nor may it show the secret of a webhook. */
export function redact(text: string, { key, readKey = '', petsKey = '' }: Keys) {
  const secrets = [
    [key, KEY],
    [readKey, READ_KEY],
    [petsKey, PETS_KEY],
    [key.slice(0, -1), SHORTER_KEY],
  ] as const
  const shown = text.replaceAll(WEBHOOK_SECRET, 'whsec_…')
  return secrets.reduce((rest, [secret, name]) => (secret === '' ? rest : rest.replaceAll(secret, name)), shown)
}
