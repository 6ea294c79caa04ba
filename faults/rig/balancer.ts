import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
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
    const log = openSync(logOf(this.#site, 'haproxy'), 'a')
    this.#process = spawn('/usr/sbin/haproxy', ['-db', '-f', join(DEPLOY, 'haproxy.cfg')], {
      stdio: ['ignore', log, log],
    })
    closeSync(log)
  }

  async kill() {
    await end(this.#process, 'SIGKILL')
  }
}
