import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { BREAKS } from './breaks.ts'
import { FAULTS } from './matrix/all.ts'
import { FAULT_OPTIONS } from './options.ts'
import { certificatesOf, makeCertificates } from './rig/certificates.ts'
import { claimSite, clearLeftovers, clearSite } from './rig/leftovers.ts'
import { missingNeeds } from './rig/needs.ts'
import { layNetwork } from './rig/network.ts'
import { enter } from './rig/site.ts'
import { say } from './say.ts'

// npm run faults -- [NAME…] [--times N] [--quick] [--json] [--record] [--break WHAT] [--clean]
//
// Creates the network, starts run.ts inside it, and removes everything when that has exited, however it did.
const args = process.argv.slice(2)
const { values, positionals } = parseArgs({ args, allowPositionals: true, options: FAULT_OPTIONS })

const faults = [...missingNeeds(), ...unknownNames()]
for (const sentence of faults) console.error(sentence)
if (faults.length > 0) process.exit(2)

await clearLeftovers(say)
if (!values.clean) process.exitCode = await runInside()

async function runInside() {
  const site = await claimSite()
  try {
    await layNetwork(site)
    await makeCertificates(site)
    const [program, ...entering] = enter(site, 'balancer') as [string, ...string[]]
    const run = new URL('run.ts', import.meta.url).pathname
    const child = spawn(program, [...entering, process.execPath, run, site.directory, ...args], {
      stdio: 'inherit',
      // Patroni's certificates are signed by this authority.
      env: { ...process.env, NODE_EXTRA_CA_CERTS: join(certificatesOf(site), 'ca.crt') },
    })
    // Ctrl-C reaches the child too; this one must outlive it.
    for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => child.kill(name))
    const [code] = (await once(child, 'exit')) as [number | null]
    return code ?? 1
  } finally {
    await clearSite(site)
  }
}

function unknownNames() {
  const known = FAULTS.map(({ name }) => name)
  const { times, break: broken } = values
  return [
    ...positionals
      .filter((name) => !known.includes(name))
      .map((name) => `Unknown fault: ${name}. Known faults: ${known.join(', ')}.`),
    ...(broken === undefined || BREAKS[broken] ? [] : [`--break must be one of: ${Object.keys(BREAKS).join(', ')}.`]),
    ...(times === undefined || /^[1-9]\d{0,5}$/.test(times) ? [] : ['--times must be a whole number from 1.']),
  ]
}
