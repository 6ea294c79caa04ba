import { cpuMsOf, idle, leastCpuMs } from './cpu.ts'
import type { Sent } from './request.ts'

/** What one request used of the service's CPU. */
export interface Cost {
  ms: number
  sent: Sent
}

/** No request may use more: a hundred of them a second would take a whole core. */
export const MAX_CPU_MS = 10
const TRIES = 5
const REPORTED = 10
// Some of those that seem to be the worst only had a garbage collection fall into them.
const CANDIDATES = 30
// Else the worst kind would fill the list.
const OF_A_KIND = 2

/** Measures the requests that are sent while no other is, and keeps those that used the most. */
export class Meter {
  readonly #pid: number
  readonly #candidates: Cost[] = []
  measured = 0

  constructor(pid: number) {
    this.#pid = pid
  }

  /** Returns what ends the measurement; nothing is kept if something else was `disturbed` by then. */
  begin(sent: Sent) {
    const before = cpuMsOf(this.#pid)
    return async (disturbed: () => boolean) => {
      await idle(this.#pid)
      if (disturbed()) return
      this.measured++
      this.#keep({ sent, ms: (cpuMsOf(this.#pid) - before) / sent.methods.length })
    }
  }

  /** The worst of all, each sent again alone several times. */
  async worst(send: (sent: Sent) => Promise<unknown>) {
    const costs: Cost[] = []
    for (const { sent } of this.#candidates.splice(0))
      costs.push({ sent, ms: (await leastCpuMs(this.#pid, TRIES, () => send(sent))) / sent.methods.length })
    return costs.toSorted((a, b) => b.ms - a.ms).slice(0, REPORTED)
  }

  #keep(cost: Cost) {
    const candidates = this.#candidates
    if (candidates.length === CANDIDATES && cost.ms <= (candidates.at(-1)?.ms ?? 0)) return
    const at = candidates.findIndex(({ ms }) => ms < cost.ms)
    candidates.splice(at < 0 ? candidates.length : at, 0, cost)
    const alike = candidates.filter(({ sent }) => kindOf(sent) === kindOf(cost.sent))
    if (alike.length > OF_A_KIND) candidates.splice(candidates.lastIndexOf(alike[OF_A_KIND] ?? cost), 1)
    candidates.splice(CANDIDATES)
  }
}

/** The start of the request and of its body, whatever the numbers in them. */
function kindOf({ bytes }: Sent) {
  const body = bytes.indexOf('\r\n\r\n') + 4
  return `${bytes.slice(0, Math.min(body, 100))}${bytes.slice(body, body + 8)}`.replaceAll(/[0-9]+/g, '')
}

const MAX_CHARACTERS = 200

/** A request for a person: what is repeated is counted, what is long is cut. */
export function shorten({ bytes }: Pick<Sent, 'bytes'>, key: string) {
  const text = bytes
    .replaceAll(key, '$PETSTORE_KEY')
    .replaceAll(SMALL_CHUNKS, (run, size: string) => `chunks of ${size}: ${contentOf(run)}\r\n`)
    .replaceAll(/(.{1,16}?)\1{9,}/gs, (run, unit: string) => `(${unit})×${run.length / unit.length} `)
    .replaceAll('\r\n', ' ⏎ ')
    .replaceAll(/[^ -~⏎×]/g, (char) => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`)
  return `${text.slice(0, MAX_CHARACTERS)}${text.length > MAX_CHARACTERS ? '…' : ''} (${bytes.length} bytes)`
}

const SMALL_CHUNKS = /([0-9a-f]{1,2})\r\n[^\r]*\r\n(?:\1\r\n[^\r]*\r\n){9,}/g

function contentOf(chunks: string) {
  return chunks
    .split('\r\n')
    .filter((_, i) => i % 2 === 1)
    .join('')
}
