import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after } from 'node:test'
import { keepPasswordSecret, watch, watchProcess } from './secrets.ts'

/** A secret may arrive in two pieces. */
const LONGEST_SECRET = 255
const SHOWS_A_KEY = /^petstore (?:keys (?:create|rotate)|dev)$/

const MAIN = new URL('../../src/start.js', import.meta.url).pathname

/** Runs one command of the program to its end, with this for its standard input. */
export async function petstore(args: string[], env: NodeJS.ProcessEnv = {}, input: string | Buffer = '', cwd?: string) {
  const child = launch(args, env, cwd)
  child.stdin.end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, stdout: child.output.stdout, stderr: child.output.stderr }
}

/** Starts `petstore serve` as a process of its own, and returns when it listens. */
export async function serve(databaseUrl: string, env: NodeJS.ProcessEnv = {}) {
  const child = launch(['serve'], { DATABASE_URL: databaseUrl, PORT: '0', ADMIN_PORT: '0', ...env })
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  after(() => child.kill('SIGKILL'))
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const listening = /Server listening at (http:[^"]+)"/.exec(child.output.stdout)
      if (listening) resolve(listening[1]!)
    })
    child.once('exit', () => reject(new Error(`petstore serve ended: ${child.output.stderr}${child.output.stdout}`)))
  })
  watchProcess(child.pid) // and its workers
  return { address, child, output: child.output, exited }
}

/** Starts one command of the program. */
export function launch(args: string[], env: NodeJS.ProcessEnv, cwd?: string) {
  // Nothing of the surrounding configuration leaks into a test.
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { PATH: process.env['PATH'], ...env },
    cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.on('error', () => {}) // it may end before it has read everything
  keepPasswordSecret(env['DATABASE_URL'])
  child.once('spawn', () => watchProcess(child.pid))
  const output = { stdout: '', stderr: '' }
  const told = `petstore ${args.slice(0, 2).join(' ')}`
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      const seen = Math.max(0, output[name].length - LONGEST_SECRET)
      output[name] += text
      if (!SHOWS_A_KEY.test(told)) watch(told, output[name].slice(seen))
    })
  return Object.assign(child, { output })
}
