import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { type Clause, groupOf, type Profile } from '../../acceptance/clause.ts'
import { applicable, firstLook } from '../../acceptance/first-look.ts'
import { htmlReport } from '../../acceptance/report/html.ts'
import { jsonReport } from '../../acceptance/report/json.ts'
import { junitReport } from '../../acceptance/report/junit.ts'
import { progress } from '../../acceptance/report/progress.ts'
import { textReport } from '../../acceptance/report/text.ts'
import { clausesOf, verify as tryClauses } from '../../acceptance/run.ts'
import { select } from '../../acceptance/select.ts'
import { readVerifyKeys } from '../config.ts'
import { UsageError } from './failure.ts'
import { type Io, stopRequested } from './io.ts'

const PASSED = 0
const FAILED = 1
/** No clause was tried: the server is not reachable, or the key does not work. */
const NOT_TRIED = 3

export const USAGE = `petstore verify --base-url URL [--key KEY] [--read-key KEY] [--pets-key KEY]
                [--profile spec|full|store] [--only PATTERN]… [--bail] [--json] [--junit FILE] [--html FILE]
    Tests a running service, ours or another one, against each clause of the contract. --profile spec tests the
    interface alone, --profile store also changing, deleting, finding and ordering pets, their events and webhooks,
    which needs a key with all scopes; --only tests the clauses of a group or with PATTERN in their id or sentence;
    --bail stops at the first failure. Set the keys in PETSTORE_KEY, PETSTORE_READ_KEY and PETSTORE_PETS_KEY rather
    than as arguments, which other users of the machine can see.
`

/** Tries the contract on a running service, ours or another one. */
export async function verify(io: Io, args: string[]) {
  const { stdout, stderr, env } = io
  const given = readVerifyKeys(env)
  const { values } = parseArgs({
    args,
    options: {
      'base-url': { type: 'string', default: '' },
      key: { type: 'string', default: given.key ?? '' },
      'read-key': { type: 'string' },
      'pets-key': { type: 'string' },
      profile: { type: 'string', default: 'full' },
      only: { type: 'string', multiple: true, default: [] },
      bail: { type: 'boolean', default: false },
      json: { type: 'boolean', default: false },
      junit: { type: 'string' },
      html: { type: 'string' },
    },
  })
  const base = readBaseUrl(values['base-url'])
  const keys = {
    key: readKey(values.key),
    readKey: readOtherKey(values['read-key'] ?? given.readKey),
    petsKey: readOtherKey(values['pets-key'] ?? given.petsKey),
  }
  const profile = readProfile(values.profile)
  const chosen = selected(clausesOf(profile, keys), values.only)
  const obstacle = await firstLook(base, keys, chosen)
  if (obstacle !== undefined) {
    stderr.write(`petstore: ${obstacle}\n`)
    return NOT_TRIED
  }

  const { clauses, leftOut } = await applicable(base, keys, chosen)
  for (const sentence of leftOut) stderr.write(`petstore: ${sentence}\n`)
  const shown = progress(values.json ? undefined : stdout, clauses)
  const stop = new AbortController()
  void stopRequested(io).then(() => stop.abort())
  const { signal } = stop
  const run = await tryClauses(base, keys, clauses, { bail: values.bail, signal, onOutcome: shown.add })
  shown.end()
  const report = { base, profile, ...run }
  stdout.write(values.json ? jsonReport(report) : textReport(report))
  if (values.junit !== undefined) await writeFile(values.junit, junitReport(report))
  if (values.html !== undefined) await writeFile(values.html, htmlReport(report))
  const passed = run.outcomes.every(({ failure, notTried }) => failure === undefined && notTried === undefined)
  return passed && run.crashes.length === 0 ? PASSED : FAILED
}

function selected(clauses: Clause[], patterns: string[]) {
  const chosen = select(clauses, patterns)
  if (chosen.length > 0) return chosen
  const groups = [...new Set(clauses.map(groupOf))].join(', ')
  throw new UsageError(`--only ${patterns.join(' --only ')} matches no clause. The groups are: ${groups}.`)
}

function readBaseUrl(text: string) {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '') return url
  throw new UsageError('--base-url takes the URL of the service with its version path, like http://127.0.0.1:8080/v1.')
}

function readKey(key: string) {
  if (/^[!-~]+$/.test(key)) return key
  throw new UsageError(
    'Set PETSTORE_KEY (or --key) to a key that can read and write; and PETSTORE_READ_KEY (or --read-key) to one that can only read, if there is one.',
  )
}

function readOtherKey(key: string | undefined) {
  return key === undefined ? undefined : readKey(key)
}

function readProfile(profile: string): Profile {
  if (profile === 'spec' || profile === 'full' || profile === 'store') return profile
  throw new UsageError('--profile takes spec, full or store.')
}
