import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

// What also works within a virtual machine that is itself confined.
export const PODMAN = ['--runtime=runc', '--cgroup-manager=cgroupfs']
export const BOUNDS = ['--ulimit=nofile=1024:1024', '--ulimit=nproc=1024:1024', '--log-driver=none']

export async function podman(...args: string[]) {
  const { stdout } = await run('podman', [...PODMAN, ...args], { maxBuffer: 16e6 })
  return stdout.trim()
}

/** What the kernel says of the rights of a process. */
export function rightsOf(status: string) {
  const field = (name: string) => new RegExp(`^${name}:\\t(.*)$`, 'm').exec(status)?.[1]
  const sets = ['CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb'].map(field)
  return {
    user: Number.parseInt(field('Uid') ?? '', 10),
    group: Number.parseInt(field('Gid') ?? '', 10),
    capabilities: sets.every((set) => set !== undefined && /^0+$/.test(set)) ? 'none' : sets.join(' '),
    mayGainMore: field('NoNewPrivs') !== '1',
  }
}
