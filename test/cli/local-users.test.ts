import assert from 'node:assert/strict'
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { createDatabase } from '../support/database.ts'
import { petstoreProcess, serve } from '../support/process.ts'

// What other users of the same machine can do to the program.

const NOBODY = 65_534

test('compiled code is neither read from nor written to the temporary directory, where any user can put some', async () => {
  const temporary = mkdtempSync(join(tmpdir(), 'petstore-users-'))
  after(() => rmSync(temporary, { recursive: true }))
  const planted = join(temporary, 'node-compile-cache')
  mkdirSync(planted)
  if (process.getuid?.() === 0) chownSync(planted, NOBODY, NOBODY)
  const { code, stderr } = await petstoreProcess(['openapi'], { TMPDIR: temporary, NODE_DEBUG_NATIVE: 'COMPILE_CACHE' })
  assert.equal(code, 0)
  assert.deepEqual(readdirSync(planted), [])
  assert.ok(!stderr.includes(planted))
  // The folder that is used instead belongs to the user who can change the packages.
  const { mode, uid } = statSync('node_modules/.cache/petstore')
  assert.equal(mode & 0o077, 0)
  assert.equal(uid, statSync('node_modules/.cache').uid)
})

for (const workers of ['1', '2']) {
  test(`SIGUSR1 opens no debugger (WORKERS=${workers})`, { skip: process.platform !== 'linux' }, async () => {
    const { url } = await createDatabase()
    const { address, child, output, exited } = await serve(url, { WORKERS: workers, DRAIN_DELAY: '1' })
    const pids = [child.pid!, ...childrenOf(child.pid!)]
    assert.equal(pids.length, workers === '1' ? 1 : 3)
    for (const pid of pids) process.kill(pid, 'SIGUSR1')
    for (let i = 0; i < 50; i++) assert.equal((await fetch(`${address}/livez`)).status, 200)
    const ports = new Set(pids.flatMap(listeningPorts))
    assert.deepEqual([...ports], [Number(new URL(address).port)])
    child.kill('SIGTERM')
    assert.deepEqual(await exited, [0, null])
    assert.ok(!output.stderr.includes('Debugger'))
  })
}

function childrenOf(pid: number) {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean).map(Number)
}

function listeningPorts(pid: number) {
  const sockets = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => {
    const { inode } = /^socket:\[(?<inode>[0-9]+)\]$/.exec(linkOf(`/proc/${pid}/fd/${fd}`))?.groups ?? {}
    return inode ?? []
  })
  const rows = readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1)
  return rows.flatMap((row) => {
    const [, local = '', , state, , , , , , inode = ''] = row.trim().split(/\s+/)
    return state === '0A' && sockets.includes(inode) ? [Number.parseInt(local.split(':')[1]!, 16)] : []
  })
}

/** A file may be closed by now. */
function linkOf(path: string) {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}
