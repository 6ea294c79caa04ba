import { run } from './cli/run.ts'
import { EXIT_MS } from './lib/times.ts'

// By default Node opens its debugger on SIGUSR1, to every user of this machine.
process.on('SIGUSR1', () => {})

process.exitCode = await run(process.argv.slice(2), process)
setTimeout(() => process.exit(), EXIT_MS).unref()
