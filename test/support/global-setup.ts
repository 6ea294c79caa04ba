import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { buildConsole } from '../../packages/console/build.ts'
import { EmbeddedPostgres } from '../../src/cli/dev/embedded-postgres.ts'
import { migrate } from '../../src/storage/postgres/migrate.ts'
import { withDatabase } from './database-url.ts'

// Runs once, around all test files: a PostgreSQL (the one of DATABASE_URL, else the packaged one), in it a migrated
// database that every test file clones, and the console as it is served.
const resources = new AsyncDisposableStack()

export async function globalSetup() {
  await buildConsole()
  const server = process.env['DATABASE_URL'] ?? (await startEmbedded())
  const template = `petstore_template_${process.pid}`
  await execute(server, `create database ${template}`)
  resources.defer(() => execute(server, `drop database ${template}`))
  await migrate(withDatabase(server, template))
  // Every test file runs in a process of its own, and inherits these.
  process.env['TEST_SERVER_URL'] = server
  process.env['TEST_TEMPLATE'] = template
}

export async function globalTeardown() {
  await resources.disposeAsync()
}

async function startEmbedded() {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-test-'))
  resources.defer(() => rm(directory, { recursive: true }))
  const server = resources.use(await EmbeddedPostgres.start(directory, ['max_connections=300']))
  return server.url
}

async function execute(url: string, sql: string) {
  const client = new pg.Client(url)
  await client.connect()
  await client.query(sql)
  await client.end()
}
