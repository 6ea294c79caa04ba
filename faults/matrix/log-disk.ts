import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../src/cli/dev/embedded-postgres.ts'
import type { Fault, Outcome, Stage } from '../fault.ts'
import { createOf, runOpenLoop } from '../open-loop/run.ts'
import { until } from '../rig/until.ts'
import { openStore } from '../store.ts'
import { countStored } from '../stored.ts'

const PROGRAM = new URL('../../src/start.js', import.meta.url).pathname
const [PER_SECOND, SECONDS, SECONDS_QUICK] = [100, 20, 4]
const MAX_END_MS = 12_000

/** A log that can't be written costs its lines, and nothing else. */
export const logDisk: Fault = {
  name: 'log-disk',
  injected: 'the log of a service with two workers goes to a disk of 32 KiB',
  invariant: 'no request fails, lost lines are counted, SIGTERM ends it within 12 s; no confirmed pet is missing',
  quick: true,
  run: fillLogDisk,
}

async function fillLogDisk(stage: Stage): Promise<Outcome> {
  await using resources = new AsyncDisposableStack()
  stage.say('starting PostgreSQL and a service with its log on a disk of 32 KiB …')
  const { databaseUrl, key } = await openStore(stage, resources)
  const stdout = openOnTinyDisk(stage, resources)
  const [port, adminPort] = [await freePort(), await freePort()]
  const child = spawn(process.execPath, [PROGRAM, 'serve'], {
    env: { DATABASE_URL: databaseUrl, PORT: `${port}`, ADMIN_PORT: `${adminPort}`, WORKERS: '2', DRAIN_DELAY: '1' },
    stdio: ['ignore', stdout, 'ignore'],
  })
  resources.defer(() => void child.kill('SIGKILL'))
  const exited = once(child, 'exit') as Promise<[number | null, NodeJS.Signals | null]>
  const origin = `http://127.0.0.1:${port}`
  await until('the service is ready', 60_000, async () => (await fetch(`${origin}/readyz`)).ok)

  const label = `log-disk ${Date.now()}`
  const seconds = stage.quick ? SECONDS_QUICK : SECONDS
  const samples = await runOpenLoop({ origin, kinds: [createOf(key, label)], perSecond: PER_SECOND, seconds })
  const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text()
  const linesLost = Number(/^petstore_log_errors_total\{reason="write_failed"\} (\d+)$/m.exec(metrics)?.[1] ?? 0)
  const asked = performance.now()
  child.kill('SIGTERM')
  const [code] = (await Promise.race([exited, sleep(MAX_END_MS, undefined, { ref: false })])) ?? ['it did not end']
  const endMs = Math.round(performance.now() - asked)

  const acked = samples.filter(({ status }) => status === 201).length
  const failed = samples.length - acked
  const { stored, twice } = await countStored(databaseUrl, label)
  const lost = Math.max(0, acked - stored)
  return {
    times: 1,
    acked,
    lost,
    twice,
    failed,
    linesLost,
    endMs,
    broken: [
      ...(failed > 0 ? [`${failed} requests failed`] : []),
      ...(linesLost > 0 ? [] : ['no lost line was counted']),
      ...(code === 0 ? [] : [`SIGTERM: ${code}`]),
      ...(lost > 0 ? [`${lost} confirmed pets are not stored`] : []),
    ],
  }
}

function openOnTinyDisk({ site }: Stage, resources: AsyncDisposableStack) {
  const disk = join(site.directory, 'log-disk')
  mkdirSync(disk, { recursive: true })
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=32k', 'tmpfs', disk])
  resources.defer(() => void execFileSync('umount', ['--lazy', disk]))
  const file = openSync(join(disk, 'log'), 'a')
  resources.defer(() => closeSync(file))
  return file
}
