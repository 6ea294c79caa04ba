import { explain, suggestion, USAGE_EXIT_CODE, UsageError } from './cli/failure.ts'

// By default Node opens its debugger on SIGUSR1, to every user of this machine.
process.on('SIGUSR1', () => {})

const HELP = `petstore: an HTTP service that stores pets in PostgreSQL

  petstore dev        run it locally, with its own PostgreSQL, sample pets and a key
  petstore serve      serve HTTP until SIGTERM
  petstore deliver    send events to webhooks until SIGTERM
  petstore migrate    update the database schema
  petstore keys       create, list, rotate and revoke API keys
  petstore webhooks   list, pause, resume and remove webhooks
  petstore import     add pets from a file
  petstore export     write all pets to a file
  petstore openapi    print the OpenAPI document
  petstore verify     test a running service against the contract

Run petstore COMMAND --help for the options of a command, petstore --version for version and commit.
All but dev, openapi and verify need DATABASE_URL; docs/configuration.md lists every variable. Without it, keys,
webhooks, import and export use the database of a petstore dev that runs in the same folder.
`

interface Command {
  run: (args: string[]) => Promise<number>
  /** Printed by --help. Suggestions for mistyped options come from it. */
  usage: string
}

const commands: Record<string, () => Promise<Command>> = {
  dev: async () => import('./cli/dev.ts').then(({ dev, USAGE }) => ({ run: dev, usage: USAGE })),
  serve: async () => import('./cli/serve.ts').then(({ serve, USAGE }) => ({ run: serve, usage: USAGE })),
  deliver: async () => import('./cli/deliver.ts').then(({ deliver, USAGE }) => ({ run: deliver, usage: USAGE })),
  migrate: async () => import('./cli/migrate.ts').then(({ migrate, USAGE }) => ({ run: migrate, usage: USAGE })),
  keys: async () => import('./cli/keys.ts').then(({ keys, USAGE }) => ({ run: keys, usage: USAGE })),
  webhooks: async () => import('./cli/webhooks.ts').then(({ webhooks, USAGE }) => ({ run: webhooks, usage: USAGE })),
  import: async () =>
    import('./cli/import.ts').then(({ importCommand, USAGE }) => ({ run: importCommand, usage: USAGE })),
  export: async () =>
    import('./cli/export.ts').then(({ exportCommand, USAGE }) => ({ run: exportCommand, usage: USAGE })),
  openapi: async () => import('./cli/openapi.ts').then(({ openapi, USAGE }) => ({ run: openapi, usage: USAGE })),
  verify: async () => import('./cli/verify.ts').then(({ verify, USAGE }) => ({ run: verify, usage: USAGE })),
  // Internal: `serve` starts its workers with it.
  worker: async () => import('./cli/serve/worker.ts').then(({ worker, USAGE }) => ({ run: worker, usage: USAGE })),
}

// A finished command may still hold connections to a database that does not respond; they must not keep it alive.
const END_AFTER_MS = 500

// Printed after a mistake on the command line: the help of the command, once it is known.
let usage = HELP

async function run([name = 'help', ...args]: string[]) {
  const isHelp = (arg: string) => arg === 'help' || arg === '--help' || arg === '-h'
  if (isHelp(name)) return print(HELP)
  if (name === '--version') return print((await import('./cli/version.ts')).version())
  const load = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (!load) throw unknownCommand(name)
  const command = await load()
  usage = command.usage
  return args.some(isHelp) ? print(usage) : command.run(args)
}

function print(text: string) {
  process.stdout.write(text)
  return 0
}

function unknownCommand(name: string) {
  return new UsageError(
    `There is no command ${JSON.stringify(name)}.${suggestion(name, HELP.match(/(?<=petstore )[a-z]+/g))}`,
  )
}

try {
  process.exitCode = await run(process.argv.slice(2))
} catch (error) {
  const { message, exitCode } = explain(error, usage)
  process.stderr.write(`petstore: ${message}\n${exitCode === USAGE_EXIT_CODE ? `\n${usage}` : ''}`)
  process.exitCode = exitCode
}
setTimeout(() => process.exit(), END_AFTER_MS).unref()
