import { spawn } from 'node:child_process'
import { EventEmitter, once } from 'node:events'
import { Readable, Writable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import { after } from 'node:test'
import type { Io, StopSignal } from '../../src/cli/io.ts'
import { run } from '../../src/cli/run.ts'
import { opened } from './cleanup.ts'
import { keepPasswordSecret, watch, watchProcess } from './secrets.ts'

/** A secret may arrive in two pieces. */
const LONGEST_SECRET = 255
const SHOWS_A_KEY = /^petstore (?:keys (?:create|rotate)|dev)$/
const LISTENING = /Server listening at (http:[^"]+)"/

const MAIN = new URL('../../src/start.js', import.meta.url).pathname

/** Runs one command of the program to its end, in this process, with this for its standard input. */
export async function petstore(args: string[], env: NodeJS.ProcessEnv = {}, input: string | Buffer = '', cwd?: string) {
  const { io, output } = openIo(args, env, input, cwd)
  const code = await run(args, io)
  return { code, ...output }
}

/** The same as a process of its own: for what is about the program, not about a command. */
export async function petstoreProcess(
  args: string[],
  env: NodeJS.ProcessEnv = {},
  input: string | Buffer = '',
  cwd?: string,
) {
  const child = launch(args, env, cwd)
  child.stdin.end(input)
  const [code] = (await once(child, 'close')) as [number | null]
  return { code, ...child.output }
}

/** Runs `petstore serve` in this process, and returns when it listens. */
export async function serveHere(databaseUrl: string, env: NodeJS.ProcessEnv = {}) {
  const { address, ...started } = await start(
    ['serve'],
    { DATABASE_URL: databaseUrl, PORT: '0', ADMIN_PORT: '0', DRAIN_DELAY: '0', ...env },
    LISTENING,
  )
  return { address: address!, ...started }
}

/** Runs a command in this process that ends by a signal, and returns when it has printed this. */
export async function start(args: string[], env: NodeJS.ProcessEnv, ready: RegExp, cwd?: string) {
  const { io, output, send } = openIo(args, env, '', cwd)
  const ended = run(args, io)
  const stop = async () => {
    send('SIGTERM')
    return ended
  }
  opened.defer(async () => void (await stop()))
  const heard = async (condition: () => unknown) => {
    while (!condition()) await once(io.stdout, 'data')
  }
  await Promise.race([
    heard(() => ready.test(output.stdout)),
    ended.then(() => Promise.reject(new Error(`${args.join(' ')} ended: ${output.stderr}${output.stdout}`))),
  ])
  const [, address] = ready.exec(output.stdout)!
  return { address, output, heard, stop, [Symbol.asyncDispose]: async () => void (await stop()) }
}

/** Starts `petstore serve` as a process of its own, and returns when it listens. */
export async function serve(databaseUrl: string, env: NodeJS.ProcessEnv = {}) {
  const child = launch(['serve'], { DATABASE_URL: databaseUrl, PORT: '0', ADMIN_PORT: '0', ...env })
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  after(() => child.kill('SIGKILL'))
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.on('data', () => {
      const listening = LISTENING.exec(child.output.stdout)
      if (listening) resolve(listening[1]!)
    })
    child.once('exit', () => reject(new Error(`petstore serve ended: ${child.output.stderr}${child.output.stdout}`)))
  })
  watchProcess(child.pid) // and its workers
  return { address, child, output: child.output, exited }
}

/** Starts one command of the program, or of another one, as a process of its own. */
export function launch(args: string[], env: NodeJS.ProcessEnv, cwd?: string, program = MAIN) {
  const child = spawn(process.execPath, [program, ...args], {
    env: ownEnv(env),
    cwd,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  child.stdin.on('error', () => {}) // it may end before it has read everything
  child.once('spawn', () => watchProcess(child.pid))
  const { output, add } = watchOutput(args)
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => add(name, text))
  return Object.assign(child, { output })
}

/** What a command needs of a process: streams and signals of its own. */
function openIo(args: string[], env: NodeJS.ProcessEnv, input: string | Buffer, cwd = process.cwd()) {
  const { output, add } = watchOutput(args)
  const capture = (name: 'stdout' | 'stderr') => {
    const decoder = new StringDecoder('utf8')
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        add(name, decoder.write(chunk))
        stream.emit('data')
        done()
      },
    })
    return stream
  }
  const [stdout, stderr] = [capture('stdout'), capture('stderr')]
  const signals = new EventEmitter()
  const io: Io = Object.assign(signals, {
    stdin: Readable.from(input.length > 0 ? [Buffer.from(input)] : [], { objectMode: false }),
    stdout,
    stderr,
    env: ownEnv(env),
    cwd: () => cwd,
    logTo: stdout,
  })
  return { io, output, send: (signal: StopSignal) => signals.emit(signal) }
}

/** Nothing of the surrounding configuration leaks into a test. */
function ownEnv(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  keepPasswordSecret(env['DATABASE_URL'])
  return { PATH: process.env['PATH'], ...env }
}

/** What a command has printed so far, which must contain no secret. */
function watchOutput(args: string[]) {
  const output = { stdout: '', stderr: '' }
  const command = `petstore ${args.slice(0, 2).join(' ')}`
  const add = (name: 'stdout' | 'stderr', text: string) => {
    const seen = Math.max(0, output[name].length - LONGEST_SECRET)
    output[name] += text
    if (!SHOWS_A_KEY.test(command)) watch(command, output[name].slice(seen))
  }
  return { output, add }
}
