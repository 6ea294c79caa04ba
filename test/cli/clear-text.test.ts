import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serve } from '../support/process.ts'

// Addresses that nobody has: the service starts also while it reaches neither.
const URLS = { REDIS_URL: 'redis://192.0.2.1:6379', RATE_LIMIT: '100/s' }

for (const WORKERS of ['1', '2'])
  test(`servers on other hosts without TLS are warned about once each, with ${WORKERS} processes`, async () => {
    const { output } = await serve('postgres://petstore@192.0.2.1:5432/petstore', { ...URLS, WORKERS })
    const warnings = output.stdout.match(/"msg":"(?:DATABASE|REDIS)_URL points to another host/g)
    assert.equal(warnings?.length, 2, output.stdout)
  })
