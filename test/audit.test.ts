import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempDisposableSync } from 'node:fs'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'

// npm itself asks, and a registry of the test responds, with advisories of the shape that the real one has.

interface Advisory {
  name: string
  severity: string
}

function advise({ name, severity }: Advisory): RequestListener {
  const url = 'https://advisories.example/1'
  const advisory = {
    id: 1,
    url,
    title: 'Bad input crashes it',
    severity,
    vulnerable_versions: '<999',
    cwe: [],
    cvss: {},
  }
  return ({ method }, response) => {
    // It also asks which other versions there are: as if they had been removed.
    if (method !== 'POST') return response.writeHead(404).end('{}')
    return response.setHeader('content-type', 'application/json').end(JSON.stringify({ [name]: [advisory] }))
  }
}

async function audit(answer: RequestListener, seconds = 60) {
  const registry = createServer(answer).listen(0, '127.0.0.1')
  await once(registry, 'listening')
  const { port } = registry.address() as AddressInfo
  // npm remembers advisories, and nothing of this must reach what it remembers of the real ones.
  using cache = mkdtempDisposableSync(join(tmpdir(), 'petstore-audit-'))
  const env = { ...process.env, npm_config_registry: `http://127.0.0.1:${port}/`, npm_config_cache: cache.path }
  const child = execFile(process.execPath, ['.ci/audit.ts', String(seconds)], { env })
  let output = ''
  child.stdout!.on('data', (text: string) => (output += text))
  const [code] = (await once(child, 'close')) as [number]
  registry.closeAllConnections()
  registry.close()
  return { code, lines: output.trimEnd().split('\n') }
}

describe('npm audit in CI', { concurrency: true }, () => {
  for (const severity of ['high', 'critical']) {
    test(`fails for a ${severity} vulnerability at run time, and names it`, async () => {
      const { code, lines } = await audit(advise({ name: 'fastify', severity }))
      assert.equal(code, 1)
      assert.match(
        lines[0]!,
        new RegExp(`${severity}: fastify: Bad input crashes it \\(https://advisories.example/1\\)`),
      )
    })
  }

  test('reports a moderate one, and passes', async () => {
    const { code, lines } = await audit(advise({ name: 'fastify', severity: 'moderate' }))
    assert.equal(code, 0)
    assert.match(lines[0]!, /moderate: fastify: Bad input/)
  })

  test('passes for a critical one in what is only for developing', async () => {
    const { code, lines } = await audit(advise({ name: 'knip', severity: 'critical' }))
    assert.equal(code, 0)
    assert.deepEqual(lines, ['npm audit: 0 packages at run time with a high or critical vulnerability.'])
  })

  test('says in one line that the registry does not respond, and passes', async () => {
    const { code, lines } = await audit((_request, response) => response.writeHead(405).end())
    assert.equal(code, 0)
    assert.deepEqual(lines, ['npm audit: no response from the registry (status 405); nothing was checked.'])
  })

  test('waits for a registry that never responds no longer than it should', async () => {
    const { code, lines } = await audit(() => {}, 2)
    assert.equal(code, 0)
    assert.deepEqual(lines, ['npm audit: no response from the registry (within 2 s); nothing was checked.'])
  })
})
