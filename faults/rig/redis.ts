import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { end } from './end.ts'
import { until } from './until.ts'

export const REDIS_SERVER = '/usr/bin/redis-server'

/** A Redis of our own, which keeps nothing when it ends. */
export class RedisServer implements AsyncDisposable {
  readonly #port: number
  #process: ChildProcess | undefined

  constructor(port: number) {
    this.#port = port
  }

  get url() {
    return `redis://127.0.0.1:${this.#port}`
  }

  /** Returns when it responds. */
  async start() {
    const settings = ['--bind', '127.0.0.1', '--port', String(this.#port), '--save', '', '--appendonly', 'no']
    this.#process = spawn(REDIS_SERVER, settings, { stdio: 'ignore' })
    await until('Redis responds', 10_000, async () => {
      const socket = connect(this.#port, '127.0.0.1').setEncoding('latin1')
      const [response] = (await Promise.race([once(socket.end('PING\r\n'), 'data'), once(socket, 'end')])) as [string?]
      return response === '+PONG\r\n'
    })
  }

  /** SIGSTOP: it is there and says nothing, until SIGCONT. */
  signal(name: 'SIGSTOP' | 'SIGCONT') {
    this.#process?.kill(name)
  }

  async kill() {
    await end(this.#process, 'SIGKILL')
  }

  async [Symbol.asyncDispose]() {
    await this.kill()
  }
}
