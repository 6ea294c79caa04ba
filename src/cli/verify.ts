import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import type { Profile } from '../../acceptance/clause.ts'
import { htmlReport } from '../../acceptance/report/html.ts'
import { jsonReport } from '../../acceptance/report/json.ts'
import { junitReport } from '../../acceptance/report/junit.ts'
import { progress } from '../../acceptance/report/progress.ts'
import { textReport } from '../../acceptance/report/text.ts'
import { clausesOf, reach, verify as tryClauses } from '../../acceptance/run.ts'
import { readVerifyKeys } from '../config.ts'
import { CommandError, UsageError } from './failure.ts'

/** Tries the contract on a running service, ours or another one. */
export async function verify(args: string[]) {
  const given = readVerifyKeys()
  const { values } = parseArgs({
    args,
    options: {
      'base-url': { type: 'string', default: '' },
      key: { type: 'string', default: given.key ?? '' },
      'read-key': { type: 'string' },
      profile: { type: 'string', default: 'full' },
      json: { type: 'boolean', default: false },
      junit: { type: 'string' },
      html: { type: 'string' },
    },
  })
  const base = readBaseUrl(values['base-url'])
  const readOnly = values['read-key'] ?? given.readKey
  const keys = { key: readKey(values.key), readKey: readOnly === undefined ? undefined : readKey(readOnly) }
  const profile = readProfile(values.profile)
  await reach(base, keys).catch((error: Error) => {
    throw new CommandError(`Nothing answers at ${base.href}: is the service running there? (${reason(error)})`)
  })

  const clauses = clausesOf(profile, keys)
  const shown = progress(values.json ? undefined : process.stdout, clauses)
  const outcomes = await tryClauses(base, keys, clauses, shown.add)
  shown.end()
  const report = { base, profile, outcomes }
  process.stdout.write(values.json ? jsonReport(outcomes) : textReport(outcomes))
  if (values.junit !== undefined) await writeFile(values.junit, junitReport(report))
  if (values.html !== undefined) await writeFile(values.html, htmlReport(report))
  return outcomes.every(({ failure }) => failure === undefined) ? 0 : 1
}

function readBaseUrl(text: string) {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.search === '' && url.hash === '' && url.username === '') return url
  throw new UsageError('Say where the service is, with its version: --base-url http://127.0.0.1:8080/v1')
}

function readKey(key: string) {
  if (/^[!-~]+$/.test(key)) return key
  throw new UsageError(
    'Give a key that may read and write, in PETSTORE_KEY or by --key; and one that may only read, if there is one, in PETSTORE_READ_KEY or by --read-key.',
  )
}

function readProfile(profile: string): Profile {
  if (profile === 'spec' || profile === 'full') return profile
  throw new UsageError('--profile takes spec or full.')
}

function reason(error: Error & { answer?: string }) {
  return error.answer ?? error.message
}
