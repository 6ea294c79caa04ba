import { parseArgs } from 'node:util'
import { type Config, readBackupMetrics, readConfig } from '../config.ts'
import { examine, type Finding, wrong } from '../domain/doctor.ts'
import { connect } from '../service.ts'
import { findDatabaseUrl } from './database-url.ts'
import { explain } from './failure.ts'
import { type Io, print, printJson } from './io.ts'

export const USAGE = `petstore doctor
    Says in one line each whether a deployment is sound: its configuration, database, schema, rights, connections, clocks,
    webhook secret, event feed, webhooks and backups. Run it with the environment of the service. It changes nothing.
    Exit code 1 if a line is wrong; warnings do not count.
petstore doctor --json
    The same as JSON.
`

export async function doctor(io: Io, args: string[]) {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } })
  const findings = await examineAll(io)
  if (values.json) printJson(io, findings)
  else for (const { check, state, detail } of findings) print(io, `${state.padEnd(7)}  ${check.padEnd(13)}  ${detail}`)
  return findings.some(({ state }) => state === 'wrong') ? 1 : 0
}

/** Leaves out checks that need what was found wrong. */
async function examineAll(io: Io): Promise<Finding[]> {
  let config: Config
  try {
    config = readConfig({ ...io.env, DATABASE_URL: await findDatabaseUrl(io) })
  } catch (error) {
    return [{ check: 'configuration', ...wrong(sentence(error)) }]
  }
  const { warnings, allowUnsafe, stores } = config
  const configuration: Finding =
    warnings.length === 0
      ? { check: 'configuration', state: 'ok', detail: 'every variable is valid' }
      : { check: 'configuration', state: 'warning', detail: warnings.join(' ') }

  await using db = connect(stores[0].databaseUrl, allowUnsafe)
  const fault: unknown = await db.start().then(
    () => db.downReason,
    (error: unknown) => error,
  )
  if (fault !== undefined) return [configuration, { check: 'database', ...wrong(sentence(fault)) }]
  const database: Finding =
    allowUnsafe.length === 0
      ? { check: 'database', state: 'ok', detail: 'it accepts writes, and keeps what it acknowledges' }
      : {
          check: 'database',
          state: 'warning',
          detail: `it accepts connections; ALLOW_UNSAFE_DATABASE=${allowUnsafe.join(',')} may lose pets. Remove it.`,
        }
  const settings = { ...config, ...stores[0], backupMetrics: readBackupMetrics(io.env) }
  return [configuration, database, ...(await examine(db, settings, sentence))]
}

/** On one line. Of an invalid configuration each line after the first is a fault. */
function sentence(error: unknown) {
  return explain(error)
    .message.replace(/:\s*\n\s*/, ': ')
    .replaceAll(/\s*\n\s*/g, '; ')
}
