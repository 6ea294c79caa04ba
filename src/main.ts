#!/usr/bin/env node
import { enableCompileCache } from 'node:module'
import { explain, UsageError } from './cli/failure.ts'

// Each command loads only what it needs, and compiled code is kept between starts: a third of a second saved.
enableCompileCache()

const USAGE = `petstore — keeps the animals a store offers

  petstore dev                 try it: a PostgreSQL of its own, sample pets, a key, a curl line that works
  petstore serve               serve until SIGTERM
  petstore migrate [--check]   bring the database to this version, or say whether it is there
  petstore keys create --name NAME [--scope SCOPE]… [--expires 90d|12h|30m|45s|never] [--rate-limit 100/s] [--test]
  petstore keys list | show ID                   what keys there are; one, and all that was done to it
  petstore keys rotate ID [--overlap 24h]        a new key in its place; both work until the overlap is over
  petstore keys revoke ID                        refused everywhere within a second
  petstore keys expire ID --in 7d|12h|30m|45s|never
  petstore keys limit ID 100/s|6000/m|50000/h|none
                               each of these takes --json, for scripts
  petstore import FILE|- [--format ndjson|csv] [--strict] [--again]
                               add a pet for each line of a file; what was cut off goes on where it stopped
  petstore export [FILE] [--format ndjson|csv]
                               write every pet; a name that ends with .gz is compressed, in both directions
  petstore openapi             print the OpenAPI document
  petstore verify --base-url URL [--key KEY] [--read-key KEY] [--profile spec|full] [--json] [--junit FILE] [--html FILE]
                               try the contract, clause by clause, on a running service, ours or another one

All but dev, openapi and verify need DATABASE_URL; docs/configuration.md lists every variable.
`

const commands: Record<string, (args: string[]) => Promise<number>> = {
  dev: async (args) => (await import('./cli/dev.ts')).dev(args),
  export: async (args) => (await import('./cli/export.ts')).exportCommand(args),
  import: async (args) => (await import('./cli/import.ts')).importCommand(args),
  keys: async (args) => (await import('./cli/keys.ts')).keys(args),
  migrate: async (args) => (await import('./cli/migrate.ts')).migrate(args),
  openapi: async (args) => (await import('./cli/openapi.ts')).openapi(args),
  serve: async (args) => (await import('./cli/serve.ts')).serve(args),
  verify: async (args) => (await import('./cli/verify.ts')).verify(args),
  // Only for `serve`, which starts its workers by this.
  worker: async (args) => (await import('./cli/worker.ts')).worker(args),
}

async function run([name = '--help', ...args]: string[]) {
  if (name === 'help' || [name, ...args].some((arg) => arg === '--help' || arg === '-h')) {
    process.stdout.write(USAGE)
    return 0
  }
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!command) throw new UsageError(`There is no command ${JSON.stringify(name)}.`)
  return command(args)
}

// A command that is done may still hold connections to a database that went silent; that must not keep it alive.
const END_AFTER_MS = 500

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  const { message, exitCode } = explain(error)
  process.stderr.write(`petstore: ${message}\n${error instanceof UsageError ? `\n${USAGE}` : ''}`)
  process.exitCode = exitCode
}
setTimeout(() => process.exit(), END_AFTER_MS).unref()
