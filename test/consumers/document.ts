import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'

// Reads openapi.json with the tools of integrators. Not part of `npm test`, since it needs Python's jsonschema, a JDK and
// packages of its own: `npm ci --prefix test/consumers`.

const LIMIT_MS = 60_000
const HERE = import.meta.dirname
const DOCUMENT = join(HERE, '../../openapi.json')

// What names were published with once: neither Python nor Java can compile it.
const JAVASCRIPT_ONLY = '^[^\\p{Default_Ignorable_Code_Point}]*$'

const directory = mkdtempSync(join(tmpdir(), 'petstore-consumers-'))
after(() => rmSync(directory, { recursive: true }))
const unreadable = join(directory, 'unreadable.json')
const withPattern = readFileSync(DOCUMENT, 'utf8').replace('"maxLength": 255', (bound) => {
  return `${bound}, "pattern": ${JSON.stringify(JAVASCRIPT_ONLY)}`
})
writeFileSync(unreadable, withPattern)

test('jsonschema for Python accepts every schema, every pattern and every example', async () => {
  const script = join(HERE, 'document.py')
  const { schemas, examples } = JSON.parse(await run('/usr/bin/python3', script, DOCUMENT)) as Record<string, number>
  assert.ok(schemas! > 50 && examples! > 50, `${schemas} schemas, ${examples} examples`)
  await assert.rejects(run('/usr/bin/python3', script, unreadable), /bad escape/)
})

test('Java compiles every pattern', async () => {
  const program = join(HERE, 'Patterns.java')
  const patterns = patternsIn(JSON.parse(readFileSync(DOCUMENT, 'utf8')))
  assert.equal(await run('java', program, ...patterns), `${patterns.length} patterns\n`)
  assert.deepEqual(patternsIn(JSON.parse(withPattern)), [...patterns, JAVASCRIPT_ONLY])
  await assert.rejects(run('java', program, JAVASCRIPT_ONLY), /PatternSyntaxException/)
})

const GENERATORS: [name: string, program: string, ...options: string[]][] = [
  ['openapi-typescript', 'openapi-typescript', DOCUMENT, '--output', 'types.ts'],
  ['@hey-api/openapi-ts', 'openapi-ts', '--input', DOCUMENT, '--output', 'hey-api'],
  ['orval', 'orval', '--input', DOCUMENT, '--output', 'orval.ts', '--client', 'fetch'],
]

// What an integrator writes first. A code that is not in the document must be accepted like any other.
const PROGRAM = `
import * as heyApi from './hey-api/index.ts'
import * as orval from './orval.ts'
import type { components } from './types.ts'

const rex = { name: 'Rex', categoryId: 7, status: 'sold' } as const satisfies components['schemas']['NewPet']
const error = { code: 'of_a_later_version', message: '', status: 400 }
export const created = [heyApi.createPet({ body: rex }), orval.createPet(rex)]
export const errors: [components['schemas']['Error'], heyApi.Error, orval.Error] = [error, error, error]
`

for (const [name, program, ...options] of GENERATORS)
  test(`${name} generates code`, async () => {
    await run(process.execPath, tool(program), ...options)
  })

test('what they generate type-checks in a strict project', async () => {
  writeFileSync(join(directory, 'program.ts'), PROGRAM)
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'esnext', '--moduleResolution', 'bundler']
  await run(process.execPath, tool('tsc'), ...options, '--allowImportingTsExtensions', 'program.ts')
})

function patternsIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return []
  return Object.entries(node).flatMap(([key, value]: [string, unknown]) =>
    key === 'pattern' && typeof value === 'string' ? [value] : patternsIn(value),
  )
}

function tool(name: string) {
  return join(HERE, 'node_modules/.bin', name)
}

/** What a program prints. Fails with all of it, and after a minute. */
async function run(program: string, ...args: string[]) {
  const options = { cwd: directory, timeout: LIMIT_MS, killSignal: 'SIGKILL' } as const
  const { stdout } = await promisify(execFile)(program, args, options).catch((error: unknown) => {
    const { stdout: printed, stderr: complained, signal } = error as Record<'stdout' | 'stderr' | 'signal', string>
    throw new Error(`${program} ${args.join(' ')} ${signal ?? ''}\n${printed}${complained}`)
  })
  return stdout
}
