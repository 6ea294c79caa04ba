import type { Fault, Outcome } from './fault.ts'
import { readable } from './measurements.ts'

export interface Result {
  fault: Fault
  outcome: Outcome
}

/** One line of JSON for each fault. */
export function lineOf({ fault, outcome }: Result) {
  return JSON.stringify({ fault: fault.name, ...outcome })
}

const HEAD = [
  'fault',
  'injected by',
  'must hold',
  'times',
  'acked',
  'lost',
  'twice',
  'failed',
  'outage p50',
  'max',
  'also',
]

/** For a terminal, and for a page, where the cells of a row can have several lines. */
export function tableOf(results: Result[], lineBreak = '; ') {
  const rule = HEAD.map((_, i) => (i > 2 && i < HEAD.length - 1 ? '---:' : '---'))
  return [HEAD, rule]
    .map(rowOf)
    .concat(results.map((result) => tableRowOf(result, lineBreak)))
    .join('\n')
}

function tableRowOf({ fault, outcome }: Result, lineBreak: string) {
  const { times, acked, lost, twice, failed, outageMs, secondsPerRound: _, broken, ...more } = outcome
  return rowOf([
    broken.length === 0 ? fault.name : `${fault.name} **broken**`,
    fault.injected,
    fault.invariant,
    ...[times, acked, lost, twice, failed].map((count) => count.toLocaleString('en')),
    ...[outageMs?.p50, outageMs?.max].map((ms) => (ms === undefined ? '' : `${(ms / 1_000).toFixed(1)} s`)),
    readable(more, lineBreak),
  ])
}

function rowOf(cells: string[]) {
  return `| ${cells.join(' | ')} |`
}
