import { cpus, release, totalmem } from 'node:os'
import type { Result } from './compare.ts'
import type { Rate } from './measure.ts'

const HEAD = [
  'operation',
  'connections',
  'bare /s',
  'service /s',
  'ratio',
  'p50 bare',
  'p50 service',
  'p99 bare',
  'p99 service',
  'CPU service',
  'CPU database',
  'CPU database, bare',
]

/** Milliseconds for latencies, microseconds for each request for CPU. */
export function throughputTable(results: Result[], floor?: Rate) {
  const rows = results.map(({ operation, connections, bare, service, ratio, cpu }) => [
    operation,
    String(connections),
    whole(bare.perSecond),
    whole(service.perSecond),
    ratio.toFixed(2),
    ...[bare.p50, service.p50, bare.p99, service.p99].map((ms) => `${ms.toFixed(2)} ms`),
    ...[cpu.service, cpu.database, cpu.bareDatabase].map((us) => `${us.toFixed(0)} µs`),
  ])
  if (!floor) return markdownTable(HEAD, rows)
  const { perSecond, p50, p99 } = floor
  const ofFloor: Record<string, string> = {
    operation: 'node:http',
    connections: '64',
    'service /s': whole(perSecond),
    'p50 service': `${p50.toFixed(2)} ms`,
    'p99 service': `${p99.toFixed(2)} ms`,
  }
  return markdownTable(HEAD, [...rows, HEAD.map((name) => ofFloor[name] ?? '')])
}

/** A table that reads well both on a terminal and on a page. */
export function markdownTable(head: string[], rows: string[][]) {
  const widths = head.map((cell, column) => Math.max(cell.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const pad = (cell: string, i: number) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))
  const rule = widths.map((width, i) => (i === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`))
  return [head, rule, ...rows].map((cells) => `| ${cells.map(pad).join(' | ')} |`).join('\n')
}

export function whole(value: number) {
  return Math.round(value).toLocaleString('en')
}

/** When and where: figures without it are worth nothing. */
export function whenAndWhere() {
  const [cpu] = cpus()
  const memory = Math.round(totalmem() / 2 ** 30)
  const day = new Date().toISOString().slice(0, 10)
  return `${day}, ${cpus().length} shared cores (${cpu?.model.trim() ?? 'unknown'}), ${memory} GiB, Linux ${release()}, Node ${process.versions.node}`
}
