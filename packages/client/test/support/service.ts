import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { run } from './project.ts'

const ROOT = new URL('../../../../', import.meta.url).pathname

/** The Node that the service runs on, and callers may. */
export const NODE_26 = join(ROOT, 'node_modules/.bin/node')

/** A real service with a PostgreSQL of its own, as `petstore dev` gives it to anybody; gone when the test file has run. */
export async function startService(env: NodeJS.ProcessEnv = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-client-'))
  const child = spawn(NODE_26, [join(ROOT, 'src/start.js'), 'dev'], {
    cwd: directory,
    env: { PATH: process.env['PATH'], PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  after(async () => {
    child.kill('SIGINT')
    await exited
    await rm(directory, { recursive: true })
  })
  const baseUrl = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const address = /http:\S+\/v1\b/.exec(output)?.[0]
      if (address && output.includes('Ctrl-C stops')) resolve(address)
    })
    child.once('exit', () => reject(new Error(`petstore dev ended:\n${output}`)))
  })
  return { baseUrl, directory, key: await readFile(join(directory, '.petstore/key'), 'utf8') }
}

/** One more process of the service in `directory`, at the same address if it is started again on its port. */
export async function startProcess(directory: string, port = '0', env: NodeJS.ProcessEnv = {}) {
  const password = await readFile(join(directory, '.petstore/password'), 'utf8')
  const [, , , databasePort] = (await readFile(join(directory, '.petstore/data/postmaster.pid'), 'utf8')).split('\n')
  const server = `postgres://postgres:${password}@127.0.0.1:${databasePort}`
  const child = spawn(NODE_26, [join(ROOT, 'src/start.js'), 'serve'], {
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: `${server}/live`,
      SANDBOX_DATABASE_URL: `${server}/postgres`,
      DRAIN_DELAY: '0',
      ADMIN_PORT: '0',
      PORT: port,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(child, 'exit')
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await exited
  }
  after(() => end('SIGKILL'))
  let output = ''
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      output += text
      const listening = /Server listening at (http:[^"]+)"/.exec(output)?.[1]
      if (listening) resolve(listening)
    })
    child.once('exit', () => reject(new Error(`petstore serve ended:\n${output}`)))
  })
  return { baseUrl: `${address}/v1`, port: new URL(address).port, end }
}

/** Runs a command of the program in the directory of a service. */
export async function petstore(directory: string, ...args: string[]) {
  return run(directory, NODE_26, [join(ROOT, 'src/start.js'), ...args])
}
