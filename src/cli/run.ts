import { explain, suggestion, USAGE_EXIT_CODE, UsageError } from './failure.ts'
import { type Io, print } from './io.ts'

const HELP = `petstore: an HTTP service that stores pets in PostgreSQL

  petstore dev        run it locally, with its own PostgreSQL, sample pets and keys
  petstore serve      serve HTTP until SIGTERM
  petstore deliver    send events to webhooks until SIGTERM
  petstore migrate    update the database schema
  petstore doctor     say whether a deployment is sound
  petstore keys       create, list, rotate and revoke API keys
  petstore orders     show an order, cancel all open orders of a key
  petstore sessions   list and end sessions of the console
  petstore webhooks   list, pause, resume and remove webhooks
  petstore sandbox    make and reset the sandbox, the store of test keys
  petstore erase      overwrite the name of a pet or the reference of an order, also in the history
  petstore search     make the words again by which pets are found
  petstore import     add pets from a file
  petstore export     write all pets to a file
  petstore openapi    print the OpenAPI document
  petstore verify     test a running service against the contract

Run petstore COMMAND --help for the options of a command, petstore --version for version and commit.
All but dev, openapi and verify need DATABASE_URL, or, where they use only the sandbox, SANDBOX_DATABASE_URL;
docs/configuration.md lists every variable. Without it, doctor, keys, orders, sessions, webhooks, erase, search, import and
export use a petstore dev that runs in the same folder: its sandbox, unless you add --store live. Elsewhere most use the live
store, unless you add --store test. keys uses both.
`

interface Command {
  run: (io: Io, args: string[]) => Promise<number>
  /** Printed by --help. Suggestions for mistyped options come from it. */
  usage: string
}

const commands: Record<string, () => Promise<Command>> = {
  dev: async () => import('./dev.ts').then(({ dev, USAGE }) => ({ run: dev, usage: USAGE })),
  serve: async () => import('./serve.ts').then(({ serve, USAGE }) => ({ run: serve, usage: USAGE })),
  deliver: async () => import('./deliver.ts').then(({ deliver, USAGE }) => ({ run: deliver, usage: USAGE })),
  migrate: async () => import('./migrate.ts').then(({ migrate, USAGE }) => ({ run: migrate, usage: USAGE })),
  doctor: async () => import('./doctor.ts').then(({ doctor, USAGE }) => ({ run: doctor, usage: USAGE })),
  keys: async () => import('./keys.ts').then(({ keys, USAGE }) => ({ run: keys, usage: USAGE })),
  orders: async () => import('./orders.ts').then(({ orders, USAGE }) => ({ run: orders, usage: USAGE })),
  sessions: async () => import('./sessions.ts').then(({ sessions, USAGE }) => ({ run: sessions, usage: USAGE })),
  erase: async () => import('./erase.ts').then(({ erase, USAGE }) => ({ run: erase, usage: USAGE })),
  webhooks: async () => import('./webhooks.ts').then(({ webhooks, USAGE }) => ({ run: webhooks, usage: USAGE })),
  sandbox: async () => import('./sandbox.ts').then(({ sandbox, USAGE }) => ({ run: sandbox, usage: USAGE })),
  search: async () => import('./search.ts').then(({ search, USAGE }) => ({ run: search, usage: USAGE })),
  import: async () => import('./import.ts').then(({ importCommand, USAGE }) => ({ run: importCommand, usage: USAGE })),
  export: async () => import('./export.ts').then(({ exportCommand, USAGE }) => ({ run: exportCommand, usage: USAGE })),
  openapi: async () => import('./openapi.ts').then(({ openapi, USAGE }) => ({ run: openapi, usage: USAGE })),
  verify: async () => import('./verify.ts').then(({ verify, USAGE }) => ({ run: verify, usage: USAGE })),
  // Internal: `serve` starts its workers with it.
  worker: async () => import('./serve/worker.ts').then(({ worker, USAGE }) => ({ run: worker, usage: USAGE })),
}

/** Runs one command line of the program, reports a failure on standard error, and returns the exit code. */
export async function run([name = 'help', ...args]: string[], io: Io) {
  let usage = HELP
  // Said after a mistake on the command line; the help itself would hide the mistake.
  let help = 'Run petstore --help for the commands.'
  try {
    if (isHelp(name)) return show(io, HELP)
    if (name === '--version') return show(io, (await import('./version.ts')).version())
    const command = await load(name)
    usage = command.usage
    help = `Run petstore ${name} --help for the options.`
    return args.some(isHelpOption) ? show(io, usage) : await command.run(io, args)
  } catch (error) {
    const { message, exitCode } = explain(error, usage)
    io.stderr.write(`petstore: ${message}\n${exitCode === USAGE_EXIT_CODE ? `${help}\n` : ''}`)
    return exitCode
  }
}

/** The word `help` counts only in place of a command: after one it may be the name of a key or a file. */
function isHelp(arg: string) {
  return arg === 'help' || isHelpOption(arg)
}

function isHelpOption(arg: string) {
  return arg === '--help' || arg === '-h'
}

async function load(name: string) {
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined
  if (command) return command()
  throw new UsageError(
    `There is no command ${JSON.stringify(name)}.${suggestion(name, HELP.match(/(?<=petstore )[a-z]+/g))}`,
  )
}

function show(io: Io, text: string) {
  print(io, text.trimEnd())
  return 0
}
