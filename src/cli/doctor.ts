import { parseArgs } from 'node:util'
import { type Config, readBackupMetrics, readConfig, type StoreConfig } from '../config.ts'
import { type Examined, examine, type Finding, wrong } from '../domain/doctor.ts'
import { URL_VARIABLES } from '../lib/ids/store-address.ts'
import { connect } from '../service.ts'
import { findVariables } from './database-url.ts'
import { explain } from './failure.ts'
import { type Io, print, printJson } from './io.ts'

export const USAGE = `petstore doctor
    Says in one line each whether a deployment is sound: its configuration, database, schema, rights, connections, clocks,
    webhook secret, event feed, webhooks and backups. Run it with the environment of the service. It changes nothing.
    Of a sandbox it says the same, but for backups, in lines of their own.
    Exit code 1 if a line is wrong; warnings do not count.
petstore doctor --json
    The same as JSON.
`

export async function doctor(io: Io, args: string[]) {
  const { values } = parseArgs({ args, options: { json: { type: 'boolean', default: false } } })
  const findings = await examineAll(io)
  if (values.json) printJson(io, findings)
  else {
    const width = Math.max(...findings.map(({ check }) => check.length))
    for (const { check, state, detail } of findings) print(io, `${state.padEnd(7)}  ${check.padEnd(width)}  ${detail}`)
  }
  return findings.some(({ state }) => state === 'wrong') ? 1 : 0
}

/** Leaves out checks that need what was found wrong. */
async function examineAll(io: Io): Promise<Finding[]> {
  let config: Config
  try {
    config = readConfig(await findVariables(io))
  } catch (error) {
    return [{ check: 'configuration', ...wrong(sentence(error)) }]
  }
  const { warnings, stores } = config
  const configuration: Finding =
    warnings.length === 0
      ? { check: 'configuration', state: 'ok', detail: 'every variable is valid' }
      : { check: 'configuration', state: 'warning', detail: warnings.join(' ') }

  const [live, sandbox] = stores
  const backupMetrics = readBackupMetrics(io.env)
  const settings = { ...config, hasSandbox: sandbox !== undefined, backupMetrics }
  const findings = [configuration, ...(await examineStore({ ...settings, ...live }))]
  if (!sandbox) return findings
  const ofSandbox = await examineStore({ ...settings, ...sandbox })
  return [...findings, ...ofSandbox.map(({ check, ...verdict }) => ({ check: `sandbox ${check}`, ...verdict }))]
}

async function examineStore(settings: Config & StoreConfig & Examined): Promise<Finding[]> {
  const { address, databaseUrl, allowUnsafe } = settings
  const explained = (error: unknown) => sentence(error).replaceAll(/\bDATABASE_URL\b/g, URL_VARIABLES[address])
  await using db = connect(databaseUrl, allowUnsafe)
  const fault: unknown = await db.start().then(
    () => db.downReason,
    (error: unknown) => error,
  )
  if (fault !== undefined) return [{ check: 'database', ...wrong(explained(fault)) }]
  const database: Finding =
    allowUnsafe.length === 0
      ? { check: 'database', state: 'ok', detail: 'it accepts writes, and keeps what it acknowledges' }
      : {
          check: 'database',
          state: 'warning',
          detail: `it accepts connections; ALLOW_UNSAFE_DATABASE=${allowUnsafe.join(',')} may lose pets. Remove it.`,
        }
  return [database, ...(await examine(db, settings, explained))]
}

/** On one line. Of an invalid configuration each line after the first is a fault. */
function sentence(error: unknown) {
  return explain(error)
    .message.replace(/:\s*\n\s*/, ': ')
    .replaceAll(/\s*\n\s*/g, '; ')
}
