import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { after } from 'node:test'
import { Session } from './session.ts'
import { until } from './until.ts'

const NEEDS = { debootstrap: 'debootstrap', 'systemd-nspawn': 'systemd-container', slirp4netns: 'slirp4netns' }

/** By which the machine trusts the servers it downloads from. */
export const AUTHORITIES = '/etc/ssl/certs/ca-certificates.crt'

const ENVIRONMENT = [
  'HOME=/root',
  'LANG=C.UTF-8',
  'PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  'DEBIAN_FRONTEND=noninteractive',
]

/** A clean Debian 12 with systemd, in namespaces of its own, until the test file has run. Its files are in `tree`. */
export class Debian {
  readonly tree = mkdtempSync(join(tmpdir(), 'petstore-debian-'))
  /** Disposed in reverse order, whether or not the rest succeeded. */
  readonly #made = new AsyncDisposableStack()

  constructor() {
    const missing = Object.entries(NEEDS).filter(
      ([program]) => !['/usr/sbin', '/usr/bin'].some((at) => existsSync(join(at, program))),
    )
    if (process.getuid?.() !== 0 || missing.length > 0)
      throw new Error(`This needs root, and these packages: ${missing.map(([, name]) => name).join(' ')}`)
    this.#made.defer(() => rmSync(this.tree, { recursive: true }))
    after(() => this.#made.disposeAsync())
    // CI ends it like this at its time limit: the container and its network must not stay.
    process.once('SIGTERM', () => void this.#made.disposeAsync().finally(() => process.exit(143)))

    chmodSync(this.tree, 0o755) // it becomes the root of a file system
    const packages = '--include=systemd-sysv,dbus,ca-certificates,iproute2'
    execFileSync('debootstrap', ['--variant=minbase', packages, 'bookworm', this.tree], { stdio: 'ignore' })
    // It downloads packages as this machine does, so it needs the same certificate authorities.
    cpSync(AUTHORITIES, join(this.tree, AUTHORITIES))
  }

  /** Returns a shell of root. */
  async boot(environment: string[] = []) {
    const { tree } = this
    const name = basename(tree)
    execFileSync('ip', ['netns', 'add', name])
    this.#made.defer(() => void execFileSync('ip', ['netns', 'del', name]))
    execFileSync('ip', ['-n', name, 'link', 'set', 'lo', 'up'])
    // It can reach the network of this machine, but neither its own ports nor the other way round.
    const network = [
      '--configure',
      '--mtu=1500',
      '--disable-host-loopback',
      `--netns-type=path`,
      `/run/netns/${name}`,
      'tap0',
    ]
    const slirp = spawn('slirp4netns', network, { stdio: 'ignore' })
    this.#made.defer(() => void slirp.kill())
    const container = spawn(
      'systemd-nspawn',
      [
        '--boot',
        '--register=no',
        '--keep-unit',
        '--console=pipe',
        `--network-namespace-path=/run/netns/${name}`,
        `--directory=${tree}`,
      ],
      { stdio: 'ignore' },
    )
    this.#made.defer(async () => {
      if (container.exitCode !== null) return
      const ended = once(container, 'exit')
      process.kill(firstOf(container), 'SIGKILL') // and with the first process, all others
      await ended
    })
    const first = await until(() => {
      assert.equal(container.exitCode, null)
      const pid = firstOf(container)
      return pid && isBooted(pid) && pid
    })
    const session = new Session([
      'nsenter',
      ...entering(first),
      'env',
      '--ignore-environment',
      ...ENVIRONMENT,
      ...environment,
    ])
    this.#made.defer(() => session.end())
    return session
  }
}

function firstOf({ pid }: ChildProcess) {
  return Number(readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim())
}

function isBooted(pid: number) {
  try {
    return execFileSync('nsenter', [...entering(pid), 'systemctl', 'is-system-running'], { stdio: 'pipe' }).includes(
      'running',
    )
  } catch {
    return false // not yet
  }
}

function entering(pid: number) {
  return ['--target', String(pid), '--all']
}
