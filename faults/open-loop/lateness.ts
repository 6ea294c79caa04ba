import { percentile } from '../under-load.ts'
import type { Sample } from './run.ts'

/** By how much the generator was behind its own schedule, at p99. */
export function latenessOf(samples: Sample[]) {
  return percentile(
    samples.map(({ late }) => late),
    0.99,
  )
}

/** Its own lateness would be taken for that of the service: then nothing can be said, and this says so. */
export function unjudged(lateP99: number, mostMs: number) {
  return lateP99 > mostMs
    ? [`not judged: the generator was ${lateP99} ms behind its schedule; run this again while nothing else is running`]
    : []
}
