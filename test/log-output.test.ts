import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import type { Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { freePort } from '../src/cli/dev/embedded-postgres.ts'
import { caller } from './support/app.ts'
import { createDatabase } from './support/database.ts'
import { createTestKey } from './support/factories.ts'
import { skipUnlessRoot } from './support/installed.ts'
import { until } from './support/until.ts'

const MAIN = new URL('../src/start.js', import.meta.url).pathname
const { url, pool } = await createDatabase()
const { key } = await createTestKey(pool)
/** Of which the lines are more than a pipe, a small disk or a socket takes. */
const [CALLS, SOCKET_CALLS] = [300, 1_000]
/** The time to drain, and what a busy machine adds. */
const LONGEST_STOP_MS = 15_000

interface Log {
  /** Where standard output goes. */
  stdout: number | Socket
  [Symbol.dispose]: () => void
}

/** `petstore serve` with a log that can't be read here; ready when it answers. */
async function serveWith(stdout: number | Socket, env: NodeJS.ProcessEnv = {}) {
  const [port, adminPort] = [await freePort(), await freePort()]
  const child = spawn(process.execPath, [MAIN, 'serve'], {
    env: { DATABASE_URL: url, PORT: `${port}`, ADMIN_PORT: `${adminPort}`, DRAIN_DELAY: '0', ...env },
    stdio: ['ignore', stdout, 'inherit'],
  })
  after(() => child.kill('SIGKILL'))
  const exited = once(child, 'exit')
  const call = caller(`http://127.0.0.1:${port}`, key)
  const isUp = () =>
    call('/readyz').then(
      ({ status }) => status === 200,
      () => false,
    )
  await until(() => {
    assert.equal(child.exitCode, null)
    return isUp()
  })
  const linesLost = async (reason: string) => {
    const text = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
    return Number(new RegExp(`^petstore_log_errors_total\\{reason="${reason}"\\} ([0-9]+)$`, 'm').exec(text)?.[1])
  }
  const stop = async () => {
    const asked = performance.now()
    child.kill('SIGTERM')
    assert.deepEqual(await exited, [0, null])
    assert.ok(performance.now() - asked < LONGEST_STOP_MS)
  }
  return { call, child, linesLost, stop }
}

type Served = Awaited<ReturnType<typeof serveWith>>

/** More lines than the output can take. */
async function fill({ call }: Served, calls = CALLS) {
  const callMany = async () => {
    for (let i = 0; i < calls / 20; i++) assert.equal((await call('/v1/pets?limit=1')).status, 200)
  }
  await Promise.all(Array.from({ length: 20 }, callMany))
}

async function loses(served: Served, reason: string) {
  await until(async () => {
    assert.equal((await served.call('/v1/pets')).status, 200)
    return (await served.linesLost(reason)) > 0
  })
}

/** A disk of 32 KiB. */
function tinyDisk(): Log & { file: string; free: () => void } {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-log-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32k', 'tmpfs', folder])
  const file = join(folder, 'log')
  const stdout = openSync(file, 'a')
  return {
    file,
    stdout,
    free: () => execFileSync('mount', ['-o', 'remount,size=1m', folder]),
    [Symbol.dispose]() {
      closeSync(stdout)
      execFileSync('umount', ['--lazy', folder])
      rmSync(folder, { recursive: true })
    },
  }
}

for (const workers of ['1', '2']) {
  test(`a log on /dev/full stops nothing, and its lost lines are counted (WORKERS=${workers})`, async () => {
    const stdout = openSync('/dev/full', 'w')
    const served = await serveWith(stdout, { WORKERS: workers })
    await fill(served)
    await loses(served, 'write_failed')
    await served.stop()
    closeSync(stdout)
  })

  test(`a log pipe without a reader stops nothing (WORKERS=${workers})`, async () => {
    using reader = stalledPipe()
    const served = await serveWith(reader.stdout, { WORKERS: workers })
    await fill(served)
    await served.stop()
  })
}

test('a log socket without a reader stops nothing', async () => {
  using reader = stalledSocket()
  const served = await serveWith(reader.stdout)
  await fill(served, SOCKET_CALLS)
  await served.stop()
})

test('a full log disk does not keep it from ending', { skip: skipUnlessRoot }, async () => {
  using disk = tinyDisk()
  const served = await serveWith(disk.stdout)
  await fill(served)
  await served.stop()
})

test('after a full log disk the log continues, on a line of its own, with how many were lost', {
  skip: skipUnlessRoot,
}, async () => {
  using disk = tinyDisk()
  const served = await serveWith(disk.stdout)
  await fill(served)
  await loses(served, 'write_failed')
  disk.free()
  // Not a health check: those are not logged, and only a line that is written shows that the disk is free.
  await until(async () => {
    await served.call('/v1/pets')
    return readFileSync(disk.file, 'utf8').includes('log lines were lost')
  })
  await served.stop()
  const lines = readFileSync(disk.file, 'utf8').split('\n')
  const broken = lines.filter((line) => line !== '' && !line.endsWith('}'))
  assert.ok(broken.length <= 1, 'at most the line that was written last before the disk was full')
})

test('a log whose reader has gone stops nothing, and its lost lines are counted', async () => {
  using reader = stalledSocket()
  const served = await serveWith(reader.stdout)
  reader.end()
  await fill(served)
  await loses(served, 'write_failed')
  await served.stop()
})

test('a slow reader gets every line', async () => {
  using log = slowFile()
  const served = await serveWith(log.stdout)
  await fill(served)
  log.resume()
  await until(async () => {
    assert.equal((await served.call('/livez')).status, 200)
    return log.lines().filter((line) => line.includes('"operation":"listPets"')).length >= CALLS
  })
  await served.stop()
  await until(() => log.lines().some((line) => line.includes('"stopped"')))
  for (const line of log.lines().filter(Boolean)) JSON.parse(line)
})

/** A pipe with nothing in it but what is written. */
function makePipe() {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-log-'))
  const path = join(folder, 'pipe')
  execFileSync('mkfifo', [path])
  const stdin = openSync(path, 'r+')
  return { folder, stdin, stdout: openSync(path, 'w') }
}

function stalledPipe(): Log {
  const { folder, stdin, stdout } = makePipe()
  return {
    stdout,
    [Symbol.dispose]() {
      closeSync(stdout)
      closeSync(stdin)
      rmSync(folder, { recursive: true })
    },
  }
}

/** Node connects a child to its parent by a socket. */
function stalledSocket(): Log & { end: () => void } {
  const reader = spawn('sleep', ['1000'], { stdio: ['pipe', 'ignore', 'ignore'] })
  const end = () => reader.kill()
  return { stdout: reader.stdin as Socket, end, [Symbol.dispose]: end }
}

/** A pipe into a file, by a program that starts to read on request. */
function slowFile(): Log & { resume: () => void; lines: () => string[] } {
  const { folder, stdin, stdout } = makePipe()
  const file = join(folder, 'log')
  const reader = spawn('sh', ['-c', 'kill -STOP $$; exec cat'], { stdio: [stdin, openSync(file, 'w'), 'inherit'] })
  return {
    stdout,
    resume: () => reader.kill('SIGCONT'),
    lines: () => readFileSync(file, 'utf8').split('\n'),
    [Symbol.dispose]() {
      reader.kill('SIGKILL')
      closeSync(stdout)
      closeSync(stdin)
      rmSync(folder, { recursive: true })
    },
  }
}
