import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { MASTER_SECRET } from '../../bench/webhooks/rows.ts'
import { end } from '../rig/end.ts'
import { OUTSIDE, PROGRAM } from '../rig/service.ts'
import { logOf, type Site } from '../rig/site.ts'

/** One `petstore deliver`, as production runs it, which trusts a certificate. */
export class DeliverProcess {
  readonly #site: Site
  readonly #name: string
  readonly #environment: NodeJS.ProcessEnv
  #process: ChildProcess | undefined

  constructor(site: Site, name: string, databaseUrl: string, certificate: string) {
    this.#site = site
    this.#name = name
    this.#environment = {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      MALLOC_ARENA_MAX: '1', // as the unit and the image have it
      DATABASE_URL: databaseUrl,
      ADMIN_PORT: '0',
      LOG_LEVEL: 'warn',
      WEBHOOK_MASTER_SECRET: MASTER_SECRET,
      WEBHOOK_NETWORKS: '127.0.0.0/8',
      NODE_EXTRA_CA_CERTS: certificate,
    }
  }

  start([node, entry] = PROGRAM) {
    const log = openSync(logOf(this.#site, this.#name), 'a')
    const options = { env: this.#environment, cwd: OUTSIDE }
    this.#process = spawn(node, [entry, 'deliver'], { ...options, stdio: ['ignore', log, log] })
    closeSync(log)
  }

  async end(signal: 'SIGTERM' | 'SIGKILL') {
    await end(this.#process, signal)
  }
}
