import type { Stage } from '../fault.ts'
import { percentile } from '../under-load.ts'
import type { Sample } from './run.ts'

/** By how much the generator was behind its own schedule, at p99. */
export function latenessOf(samples: Sample[]) {
  return percentile(
    samples.map(({ late }) => late),
    0.99,
  )
}

/**
 * Of what goes by the clock, what does not hold. Where the generator was too late itself nothing can be said, since its own
 * lateness would be taken for that of the service: the long form must be run again, and the short one, on a machine that
 * does other things too, is left with what does not go by the clock.
 */
export function byTheClock(stage: Pick<Stage, 'quick' | 'say'>, lateP99: number, mostMs: number, broken: string[]) {
  if (lateP99 <= mostMs) return broken
  const busy = `not judged by the clock: the generator was ${lateP99} ms behind its schedule`
  if (!stage.quick) return [`${busy}; run this again while nothing else is running`]
  stage.say(busy)
  return []
}
