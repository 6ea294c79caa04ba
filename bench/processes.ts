import { readdirSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100

interface Process {
  pid: number
  parent: number
  /** In ticks: its own, and of its children that have ended. */
  cpu: number
}

/** CPU seconds that a process and all that it has started have used so far. */
export function cpuSeconds(pid: number): number {
  return familyOf(pid).reduce((sum, { cpu }) => sum + cpu, 0) / TICKS_PER_SECOND
}

/** Resident megabytes of a process and of each that it has started, by process id, the eldest first. */
export function residentMegabytes(pid: number): Map<number, number> {
  return new Map(familyOf(pid).map((member) => [member.pid, residentOf(member.pid)]))
}

/** To a process and all that it has started. */
export function signalFamily(pid: number, signal: 'SIGSTOP' | 'SIGCONT') {
  for (const member of pidsOf(pid)) process.kill(member, signal)
}

/** A process and all that it has started. To find them takes milliseconds of CPU. */
export function pidsOf(pid: number) {
  return familyOf(pid).map((member) => member.pid)
}

const LISTENING = '0A'

/** How many processes listen on this port of 127.0.0.1. */
export function listenersOn(port: number) {
  const local = `0100007F:${port.toString(16).toUpperCase().padStart(4, '0')}`
  const sockets = readFileSync('/proc/net/tcp', 'utf8').split('\n')
  return sockets
    .map((line) => line.trim().split(/ +/))
    .filter(([, own, , state]) => own === local && state === LISTENING).length
}

function residentOf(pid: number) {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(pid, 'status'))?.[1]
  return (Number(kibibytes) * 1_024) / 1e6
}

function familyOf(pid: number) {
  const processes = readProcesses()
  const family = processes.filter((one) => one.pid === pid)
  for (const member of family) family.push(...processes.filter(({ parent }) => parent === member.pid))
  return family
}

function readProcesses(): Process[] {
  const pids = readdirSync('/proc').map(Number).filter(Number.isInteger)
  return pids.map((pid) => {
    // After the name of the program, which may contain anything: state, parent, …, utime, stime, cutime, cstime.
    const fields = readProc(pid, 'stat')
      .replace(/^.*\) /s, '')
      .split(' ')
      .map(Number)
    const [, parent = 0] = fields
    return { pid, parent, cpu: fields.slice(11, 15).reduce((sum, ticks) => sum + ticks, 0) }
  })
}

function readProc(pid: number, file: string) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8')
  } catch {
    return '' // it has ended in between
  }
}
