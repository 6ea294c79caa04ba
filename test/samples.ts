import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { createPetstore } from '../packages/client/src/index.ts'
import { createProject, run, tool } from '../packages/client/test/support/project.ts'
import { NODE_26, startService } from '../packages/client/test/support/service.ts'
import { parseExact } from '../src/http/docs/exact-json.ts'
import { readGuides } from '../src/http/docs/guides.ts'
import { type Fence, fencesOf } from '../src/http/docs/markdown.ts'
import { type OperationDoc, referenceOf } from '../src/http/docs/reference.ts'
import { callOf } from '../src/http/docs/samples/call.ts'
import { samplesOf } from '../src/http/docs/samples/languages.ts'
import type { Document } from '../src/http/openapi/types.ts'

// Runs every sample that /docs prints, in every language, against a real service. Not part of `npm test`, since it needs curl,
// Python, Go and an installed packages/client.

const { baseUrl, key } = await startService()
const { pets, orders, webhooks } = createPetstore({ baseUrl, key })
const document = parseExact(await (await fetch(new URL('/openapi.json', baseUrl))).text()) as Document
const reference = referenceOf(document)
const { directory } = await createProject()
const env = { PETSTORE_KEY: key, GOFLAGS: '-mod=mod' }
await writeFile(join(directory, 'go.mod'), 'module samples\n\ngo 1.19\n')

const LARGEST = '9223372036854775807'
const HOOK = 'https://shop.example/hooks'
const EXTENSIONS: Record<string, string> = { typescript: 'ts', javascript: 'mjs', python: 'py', bash: 'sh', go: 'go' }
// Prints the status after the body, and fails unless it is a success.
const CURL = `curl() { command curl -sS --fail-with-body -w '\\n%{http_code}\\n' "$@"; }\nset -e\n`
const STRICT = ['--strict', '--exactOptionalPropertyTypes', '--noEmit', '--target', 'es2022', '--module', 'nodenext']
const NODE_TYPES = ['--types', 'node', '--typeRoots', join(process.cwd(), 'node_modules/@types'), '--skipLibCheck']

interface Sample {
  name: string
  language: string
  code: string
}

/** Writes a sample to a file of its own, and returns how to run it. */
async function write({ name, language, code }: Sample): Promise<[program: string, ...args: string[]]> {
  const folder = language === 'go' ? join(directory, 'go', name) : directory
  await mkdir(folder, { recursive: true })
  const file = join(folder, `${name}.${EXTENSIONS[language]}`)
  await writeFile(file, language === 'bash' ? CURL + code : code)
  if (language === 'bash') return ['bash', file]
  if (language === 'python') return ['python3', file]
  return language === 'go' ? [join(directory, 'bin', name)] : [NODE_26, file]
}

/** One build for all: most of the time goes into what they share. */
async function build(language: string, samples: Sample[]) {
  if (language === 'go') await run(directory, 'go', ['build', '-o', 'bin/', './go/...'], env)
  if (language === 'typescript' && samples.length > 0) {
    const files = samples.map(({ name }) => `${name}.ts`)
    await run(directory, tool('tsc'), [...STRICT, ...NODE_TYPES, ...files])
  }
}

/** The operation with examples that exist: a pet, an order or a webhook of its own. */
async function withRealIds(entry: OperationDoc): Promise<OperationDoc> {
  const pet = await pets.create({ name: 'Rex', categoryId: 7n, status: 'available' })
  const real: Record<string, () => Promise<unknown>> = {
    petId: async () => pet.id,
    orderId: async () => (await orders.place({ petId: pet.id })).id,
    webhookId: async () => (await webhooks.create({ url: HOOK })).id,
    'If-Match': async () => '"1"',
    'Idempotency-Key': async () => randomUUID(),
  }
  const replaced = async (name: string, example: unknown) => (real[name] ? await real[name]() : example)
  const parameters = await Promise.all(
    (entry.operation.parameters ?? []).map(async (each) => ({
      ...each,
      example: await replaced(each.name, each.example),
    })),
  )
  const [first] = entry.body?.examples ?? []
  const fields = Object.entries((first ?? {}) as Record<string, unknown>)
  const example = fields.map(([name, value]) => [name, name === 'petId' ? pet.id : value])
  const body = entry.body && { ...entry.body, examples: [Object.fromEntries(example)] }
  return { ...entry, operation: { ...entry.operation, parameters }, body }
}

async function removeWebhooks() {
  for (const { id } of await webhooks.list()) await webhooks.delete(id)
}

const [first] = reference.entries
assert.ok(first)
for (const { id, language } of samplesOf(callOf(first, baseUrl), baseUrl)) {
  test(`every operation has a sample for ${id}, and it works`, async (t) => {
    const samples = await Promise.all(
      reference.entries.map(async (entry) => {
        const call = callOf(await withRealIds(entry), baseUrl)
        const sample = samplesOf(call, baseUrl).find((each) => each.id === id)
        assert.ok(sample, `${entry.id} has none`)
        return { name: entry.id, language, code: sample.code, status: entry.success.status }
      }),
    )
    const commands = await Promise.all(samples.map(write))
    await build(language, samples)
    for (const [i, { name, status }] of samples.entries()) {
      await t.test(name, async () => {
        const [program, ...args] = commands[i]!
        const output = await run(directory, program, args, env)
        // The client returns what it was asked for, or fails.
        if (language !== 'typescript') assert.match(output, new RegExp(`\\b${status}\\b`))
        if (name === 'createPet' && language !== 'typescript') assert.ok(output.includes(LARGEST), output)
      })
    }
    await removeWebhooks()
  })
}

/** What a guide takes for granted. */
const PREPARATIONS: Record<string, () => Promise<NodeJS.ProcessEnv>> = {
  versions: async () => {
    await pets.update(1n, { name: 'Rex I' })
    await pets.update(1n, { name: 'Rex' })
    return {}
  },
  selling: async () => {
    await pets.update(1n, { status: 'available' })
    return {}
  },
  receiving: async () => ({ WEBHOOK_ID: (await webhooks.create({ url: HOOK })).id }),
}
const RUN_APART = ['receiving', 'events']

for (const { id, text } of readGuides(document, reference, baseUrl)) {
  const fences = fencesOf(text).filter(({ language }) => language in EXTENSIONS)
  if (fences.length === 0) continue
  test(`the samples of the guide ${id} work`, async (t) => {
    const prepared = await PREPARATIONS[id]?.()
    const samples = fences.map((fence, i) => ({ name: `${id}-${i}`, ...fence }))
    const commands = await Promise.all(samples.map(write))
    await build(
      'typescript',
      samples.filter(({ language }) => language === 'typescript'),
    )
    for (const [i, { language }] of samples.entries()) {
      if (RUN_APART.includes(id) && language !== 'bash') continue
      await t.test(`${language}, ${i + 1} of ${samples.length}`, async () => {
        const [program, ...args] = commands[i]!
        await run(directory, program, args, { ...env, ...prepared })
      })
    }
  })
}

function codeOf(guide: string, language: string): Fence {
  const { text = '' } = readGuides(document, reference, baseUrl).find(({ id }) => id === guide) ?? {}
  const fence = fencesOf(text).find((each) => each.language === language)
  assert.ok(fence, `${guide} has no ${language}`)
  return fence
}

test('the sample that follows events prints those that happened, and waits for more', async () => {
  const [program, ...args] = await write({ name: 'follow', ...codeOf('events', 'typescript') })
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = once(child, 'exit')
  const laika = await pets.create({ name: 'Laika', categoryId: 1n })
  for await (const line of createInterface(child.stdout)) if (line === `pet.created ${laika.id}n`) break
  child.kill()
  await exited
})

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
const EVENT = JSON.stringify(reference.deliveries[0]?.body.examples[0])
const GO_CHECK = `package main

import (
	"fmt"
	"net/http"
	"os"
	"samples/receiver"
)

func main() {
	header := http.Header{}
	for _, name := range []string{"webhook-id", "webhook-timestamp", "webhook-signature"} {
		header.Set(name, os.Getenv(name))
	}
	fmt.Println(webhook.IsGenuine(os.Getenv("SECRET"), header, []byte(os.Getenv("BODY"))))
}
`
const PYTHON_CHECK = `
import os
print(str(is_genuine(os.environ["SECRET"], os.environ, os.environ["BODY"].encode())).lower())
`
const TYPESCRIPT_CHECK = `
const { SECRET = '', BODY = '', ...headers } = process.env
const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
const signed = Object.fromEntries(names.map((name) => [name, headers[name] ?? '']))
const request = new Request('https://shop.example/hooks', { method: 'POST', body: BODY, headers: signed })
console.log(await receive(request, SECRET).then(({ ok }) => ok, () => false))
`

test('the receivers of the guide accept what the service signed, and reject what was changed, or is old', async () => {
  const checks: [program: string, ...args: string[]][] = []
  const receiver = (language: string) => codeOf('receiving', language).code
  checks.push(await write({ name: 'check-python', language: 'python', code: receiver('python') + PYTHON_CHECK }))
  const typescript = receiver('typescript') + TYPESCRIPT_CHECK
  checks.push(await write({ name: 'check-typescript', language: 'typescript', code: typescript }))
  await mkdir(join(directory, 'receiver'), { recursive: true })
  await writeFile(join(directory, 'receiver/receiver.go'), receiver('go'))
  checks.push(await write({ name: 'check-go', language: 'go', code: GO_CHECK }))
  await run(directory, 'go', ['build', '-o', 'bin/', './go/check-go'], env)

  const signedAt = (at: Date, body: string) => ({
    SECRET,
    BODY: body,
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': `v1,AAAA ${new Webhook(SECRET).sign('evt_1', at, EVENT)}`,
  })
  for (const [program, ...args] of checks) {
    const accepts = async (request: NodeJS.ProcessEnv) =>
      (await run(directory, program, args, request)).trim().endsWith('true')
    const name = args.join() || program
    assert.equal(await accepts(signedAt(new Date(), EVENT)), true, name)
    assert.equal(await accepts(signedAt(new Date(), `${EVENT} `)), false, `${name}: another body`)
    assert.equal(await accepts(signedAt(new Date(Date.now() - 301_000), EVENT)), false, `${name}: old`)
  }
})
