import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'

const ROOT = new URL('../../../../', import.meta.url).pathname

/** The Node that the service runs on, and callers may. */
export const NODE_26 = join(ROOT, 'node_modules/.bin/node')

/** A real service with a PostgreSQL of its own, as `petstore dev` gives it to anybody; gone when the test file has run. */
export async function startService(env: NodeJS.ProcessEnv = {}) {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-client-'))
  const child = spawn(NODE_26, [join(ROOT, 'src/main.ts'), 'dev'], {
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
  return { baseUrl, key: await readFile(join(directory, '.petstore/key'), 'utf8') }
}
