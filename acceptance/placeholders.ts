// Clauses, reports and curl lines name keys by shell variables. Only the wire knows what they stand for.
export const KEY = '$PETSTORE_KEY'
/** The key followed by another character. */
export const LONGER_KEY = '$'.concat('{PETSTORE_KEY}x')
/** The key without its last character. */
export const SHORTER_KEY = '$'.concat('{PETSTORE_KEY%?}')
export const READ_KEY = '$PETSTORE_READ_KEY'

export interface Keys {
  key: string
  readKey?: string | undefined
}

export const PLACEHOLDER = /\$\{PETSTORE_KEY%\?\}|\$\{PETSTORE_KEY\}|\$PETSTORE_READ_KEY|\$PETSTORE_KEY/

/** The text as it is sent. */
export function fillIn(text: string, { key, readKey = '' }: Keys) {
  return text.replaceAll(new RegExp(PLACEHOLDER, 'g'), (name) => {
    if (name === READ_KEY) return readKey
    return name === SHORTER_KEY ? key.slice(0, -1) : key
  })
}

/** The text as it may be shown: a service can repeat a key in a response, a report must not. */
export function redact(text: string, { key, readKey = '' }: Keys) {
  const secrets = [
    [key, KEY],
    [readKey, READ_KEY],
    [key.slice(0, -1), SHORTER_KEY],
  ] as const
  return secrets.reduce((shown, [secret, name]) => (secret === '' ? shown : shown.replaceAll(secret, name)), text)
}
