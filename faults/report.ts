import type { Fault, Outcome } from './fault.ts'

/** One line of JSON for each fault. */
export function lineOf({ name }: Fault, outcome: Outcome) {
  return JSON.stringify({ fault: name, ...outcome })
}

const HEAD = ['fault', 'injected by', 'must hold', 'times', 'acked', 'lost', 'twice', 'failed', 'outage p50', 'max']

export function tableOf(results: { fault: Fault; outcome: Outcome }[]) {
  const rows = results.map(({ fault, outcome }) => [
    fault.name,
    fault.injected,
    fault.invariant,
    ...[outcome.times, outcome.acked, outcome.lost, outcome.twice, outcome.failed].map((n) => n.toLocaleString('en')),
    ...[outcome.outageMs?.p50, outcome.outageMs?.max].map((ms) =>
      ms === undefined ? '' : `${(ms / 1_000).toFixed(1)} s`,
    ),
  ])
  return [HEAD, HEAD.map((_, i) => (i < 3 ? '---' : '---:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}
