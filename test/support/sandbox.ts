import assert from 'node:assert/strict'
import { createDatabase } from './database.ts'
import { petstore } from './process.ts'

/** The databases of a live store and of its sandbox, and the variables with their URLs. */
export async function createStores() {
  const [live, sandbox] = await Promise.all([createDatabase(), createDatabase()])
  return { live, sandbox, env: { DATABASE_URL: live.url, SANDBOX_DATABASE_URL: sandbox.url } }
}

/** A command that succeeds. */
export async function runCommand(env: NodeJS.ProcessEnv, ...args: string[]) {
  const { code, stdout, stderr } = await petstore(args, env)
  assert.equal(code, 0, `${args.join(' ')}: ${stderr}`)
  return { stdout, stderr }
}
