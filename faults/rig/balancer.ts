import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, cpSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { certificatesOf } from './certificates.ts'
import { end } from './end.ts'
import { BALANCER_ADDRESS, DEPLOY, logOf, type Site } from './site.ts'

export const SERVICE_URL = `http://${BALANCER_ADDRESS}:8080`

/** HAProxy as deploy/ha has it. The runner is in its namespace already. */
export class Balancer {
  readonly #site: Site
  #process: ChildProcess | undefined

  constructor(site: Site) {
    this.#site = site
  }

  get pid() {
    return this.#process?.pid ?? 0
  }

  start() {
    // In a folder of its own, as /etc/haproxy is: it looks for the authority of the nodes beside its configuration.
    const folder = join(this.#site.directory, 'balancer')
    for (const name of ['haproxy.cfg', 'errors']) cpSync(join(DEPLOY, name), join(folder, name), { recursive: true })
    cpSync(join(certificatesOf(this.#site), 'ca.crt'), join(folder, 'ca.crt'))
    const log = openSync(logOf(this.#site, 'haproxy'), 'a')
    this.#process = spawn('/usr/sbin/haproxy', ['-db', '-f', join(folder, 'haproxy.cfg')], {
      stdio: ['ignore', log, log],
    })
    closeSync(log)
  }

  async kill() {
    await end(this.#process, 'SIGKILL')
  }
}
