import { execFile } from 'node:child_process'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { promisify } from 'node:util'

export const PACKAGE = new URL('../../', import.meta.url).pathname

/**
 * An empty project in which the client is installed, as a caller has it: packed now, or from the file that CLIENT_TARBALL names. Gone when
 * the test file has run.
 */
export async function createProject() {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-consumer-'))
  after(() => rm(directory, { recursive: true }))
  const tarball = process.env['CLIENT_TARBALL'] ?? (await pack(directory))
  await writeFile(join(directory, 'package.json'), '{ "type": "module" }')
  await run(directory, 'npm', ['install', '--offline', tarball])
  await copyFile(join(PACKAGE, 'test/consumer/consumer.ts'), join(directory, 'consumer.ts'))
  await writeFile(join(directory, 'readme.ts'), await typescriptOf(join(PACKAGE, 'README.md')))
  return { directory, tarball }
}

async function pack(directory: string) {
  const packed = await run(PACKAGE, 'npm', ['pack', '--json', '--pack-destination', directory])
  const [{ filename }] = JSON.parse(packed.slice(packed.indexOf('['))) as [{ filename: string }]
  return join(directory, filename)
}

/** A program of the package's own, or of the machine. Fails with all that it printed. */
export async function run(directory: string, program: string, args: string[], env: NodeJS.ProcessEnv = {}) {
  const options = { cwd: directory, env: { ...process.env, ...env }, maxBuffer: 2 ** 26 }
  const { stdout } = await promisify(execFile)(program, args, options).catch((error: unknown) => {
    const { stdout: printed, stderr: complained } = error as { stdout: string; stderr: string }
    throw new Error(`${program} ${args.join(' ')}\n${printed}${complained}`)
  })
  return stdout
}

export function tool(name: string) {
  return join(PACKAGE, 'node_modules/.bin', name)
}

/** Every TypeScript block of a paper, as one program. */
async function typescriptOf(paper: string) {
  const blocks = (await readFile(paper, 'utf8')).matchAll(/^```ts\n(.*?)^```$/gms)
  return Array.from(blocks, ([, block]) => block).join('\n')
}
