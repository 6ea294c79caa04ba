import assert from 'node:assert/strict'
import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { BOUNDS, PODMAN, podman, rightsOf } from './containers.ts'

// What systemd itself thinks of the unit, and what it makes of it in a container where it is the first process. Not part of
// `npm test`, since it needs systemd, podman, root and the image.

// From 0, nothing it could harm, to 10; a unit that says nothing has 9.6.
const MAX_EXPOSURE = 1.5
const UNIT = readFileSync('deploy/systemd/petstore.service', 'utf8')
const DELIVERY_UNIT = readFileSync('deploy/systemd/petstore-deliver.service', 'utf8')
const BACKUP_UNITS = ['backup', 'receive-wal'].map((name) =>
  readFileSync(`deploy/systemd/petstore-${name}.service`, 'utf8'),
)
const UNITS = [UNIT, DELIVERY_UNIT, ...BACKUP_UNITS]

const folder = mkdtempSync(join(tmpdir(), 'petstore-unit-'))
after(() => rmSync(folder, { recursive: true }))

function analyze(command: string[], text: string) {
  // It looks whether what is to be started is there.
  for (const name of ['opt/petstore/bin/node', 'usr/local/lib/petstore/backup', 'usr/local/lib/petstore/receive-wal']) {
    const program = join(folder, name)
    mkdirSync(join(program, '..'), { recursive: true })
    writeFileSync(program, '')
    chmodSync(program, 0o755)
  }
  const file = join(folder, 'petstore.service')
  writeFileSync(
    file,
    text.replaceAll(/\/(?:opt|usr\/local\/lib)\/petstore/g, (path) => folder + path),
  )
  const { status, stdout, stderr } = spawnSync('systemd-analyze', [...command, file], { encoding: 'utf8' })
  return { status, output: stdout + stderr }
}

test('systemd understands every line of the units', () => {
  const verify = ['verify', '--man=no', '--recursive-errors=no']
  for (const unit of UNITS) assert.deepEqual(analyze(verify, unit), { status: 0, output: '' })
  assert.match(analyze(verify, UNIT.replace('NoNewPrivileges', 'NoNewPriviledges')).output, /Unknown key/)
})

test('systemd finds little that the units could harm', (t) => {
  const security = ['security', '--offline=true', `--threshold=${MAX_EXPOSURE * 10}`, '--no-pager']
  for (const unit of UNITS) {
    const { status, output } = analyze(security, unit)
    t.diagnostic(output.trim().split('\n').at(-1) ?? '')
    assert.equal(status, 0, output)
  }
  assert.notEqual(analyze(security, UNIT.replace(/^SystemCallFilter=.*\n/gm, '')).status, 0)
})

test('systemd runs it without root and rights, starts it again when it dies, and waits for its drain', async () => {
  const confined = [
    '--format=docker',
    '--runtime=runc',
    '--isolation=oci',
    '--network=host',
    '--ulimit=nofile=1024:1024',
  ]
  const machineFile = '--file=test/deploy/systemd.Containerfile'
  execFileSync('buildah', ['bud', ...confined, machineFile, '--tag=petstore-systemd', 'deploy/systemd'])
  await using machine = await boot()
  const first = await machine.mainProcess()
  assert.notEqual(first.user, 0)
  assert.deepEqual(
    { ...first, pid: 0, user: 1, group: 1 },
    { pid: 0, user: 1, group: 1, capabilities: 'none', mayGainMore: false },
  )

  await machine.run('systemctl', 'kill', '--signal=KILL', 'petstore')
  const second = await machine.mainProcess()
  assert.notEqual(second.pid, first.pid)

  await machine.run('systemctl', 'stop', 'petstore')
  assert.equal(await machine.run('systemctl', 'show', '--property=Result', '--value', 'petstore'), 'success')
  assert.match(await machine.run('journalctl', '--unit=petstore', '--output=cat'), /"msg":"stopped"/)
})

/** A machine whose first process is systemd. The service has no database there, and starts without. */
async function boot() {
  const name = `petstore-systemd-${process.pid}`
  // What systemd needs to confine others.
  const rights = ['--systemd=always', '--cap-add=SYS_ADMIN', '--security-opt=seccomp=unconfined']
  const child = spawn(
    'podman',
    [...PODMAN, 'run', '--rm', `--name=${name}`, '--network=none', ...BOUNDS, ...rights, 'petstore-systemd'],
    { stdio: 'ignore' },
  )
  const exited = once(child, 'exit')
  const runInside = (...command: string[]) => podman('exec', name, ...command)
  return {
    run: runInside,
    /** As soon as it answers. */
    async mainProcess() {
      const ask = `fetch('http://127.0.0.1:8080/livez').then(({ status }) => process.exit(status === 200 ? 0 : 1))`
      for (;;) {
        const answers = await runInside('/opt/petstore/bin/node', '-e', ask).then(
          () => true,
          () => false,
        )
        if (answers) break
        assert.equal(child.exitCode, null)
      }
      const pid = await runInside('systemctl', 'show', '--property=MainPID', '--value', 'petstore')
      return { pid: Number(pid), ...rightsOf(await runInside('cat', `/proc/${pid}/status`)) }
    },
    async [Symbol.asyncDispose]() {
      await podman('kill', '--signal=KILL', name)
      await exited
    },
  }
}
