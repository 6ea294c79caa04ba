import { parseArgs } from 'node:util'
import { findKeyByText, stateOf } from '../../domain/keys.ts'
import { isWellFormedKey } from '../../lib/ids/key-format.ts'
import { addressOf } from '../../lib/ids/store-address.ts'
import { CommandError, UsageError } from '../failure.ts'
import { type Io, print, printJson } from '../io.ts'
import { type KeyStores, testStore } from './stores.ts'

/** Finds the id of a key that turned up somewhere. The key is read, and never printed. */
export async function find(io: Io, stores: KeyStores, args: string[]) {
  const options = { json: { type: 'boolean', default: false } } as const
  const { values, positionals } = parseArgs({ args, allowPositionals: true, options })
  if (positionals.length !== 1 || positionals[0] !== '-')
    throw new UsageError(
      'The key is read from standard input, because other users can see arguments: petstore keys find - < FILE',
    )
  const { key } = await readKey(io, stores)
  if (values.json) return printJson(io, { ...key, state: stateOf(key) })
  print(io, `${key.id}  ${key.name}  ${stateOf(key)}`)
}

// More than any key with spaces around it.
const MAX_CHARACTERS = 1_000

/** The key whose text is on the first line of standard input, and its database. */
export async function readKey({ stdin, stderr }: Io, stores: KeyStores) {
  if (stdin.isTTY) stderr.write('Paste the key and press Enter: ')
  let text = ''
  const input: AsyncIterable<string> = stdin.setEncoding('utf8')
  for await (const piece of input) {
    text += piece
    if (text.includes('\n') || text.length > MAX_CHARACTERS) break
  }
  const line = text.split('\n', 1)[0]?.trim() ?? ''
  if (!isWellFormedKey(line))
    throw new CommandError(
      'Standard input does not begin with an API key: petk_live_ or petk_test_ and 36 letters and digits. Check that it was copied completely.',
    )
  const db = addressOf(line) === 'test' ? await testStore(stores) : stores.live
  const key = await findKeyByText({ db }, line)
  if (!key) throw new CommandError('This key has the right form, but was not issued by this service.')
  return { db, id: key.id, key }
}
