/** What a process held at one moment. */
export interface Sample {
  /** Hours since the beginning. */
  at: number
  megabytes: number
  handles: number
}

/** Until then a process still grows into its work. */
const WARM_UP_SHARE = 0.25
// Between two collections of garbage memory rises and falls; only what is left at the lowest is held for good.
const MINIMUM_OF_HOURS = 5 / 60
const MEDIAN_OF_HOURS = 10 / 60
const MAX_MEGABYTES_AN_HOUR = 1
const MAX_NEW_HANDLES = 5

/** By how much a process has grown since it was warm: its memory with the standard error of that, and its handles. */
export function growthOf(samples: Sample[]) {
  const endsAt = samples.at(-1)?.at ?? 0
  const warm = samples.filter(({ at }) => at >= endsAt * WARM_UP_SHARE)
  const startsAt = warm[0]?.at ?? 0
  const parts = Map.groupBy(warm, ({ at }) => Math.floor((at - startsAt) / MINIMUM_OF_HOURS + 1e-9))
  const most = Math.max(0, ...Array.from(parts.values(), ({ length }) => length))
  // The last part may have just begun, and its lowest says nothing yet.
  const lowest = Array.from(parts.values())
    .filter(({ length }) => length > most / 2)
    .map((part) => part.reduce((least, one) => (one.megabytes < least.megabytes ? one : least)))
  const { slope, error } = lineThrough(lowest.map(({ at, megabytes }) => [at, megabytes]))
  const first = warm.filter(({ at }) => at < startsAt + MEDIAN_OF_HOURS)
  const last = warm.filter(({ at }) => at > endsAt - MEDIAN_OF_HOURS)
  return {
    megabytesAnHour: Number(slope.toFixed(2)),
    standardError: Number(error.toFixed(2)),
    newHandles: medianHandles(last) - medianHandles(first),
  }
}

/** Memory that may just as well be flat is not blamed: the slope must be above the limit by twice its error. */
export function overgrown({ megabytesAnHour, standardError, newHandles }: ReturnType<typeof growthOf>, i: number) {
  const isGrowing = megabytesAnHour - 2 * standardError > MAX_MEGABYTES_AN_HOUR
  return [
    ...(isGrowing ? [`service ${i + 1} grows by ${megabytesAnHour} ± ${standardError} MB an hour`] : []),
    ...(newHandles > MAX_NEW_HANDLES ? [`service ${i + 1} has ${newHandles} handles more than when it was warm`] : []),
  ]
}

/** By least squares. */
function lineThrough(points: [x: number, y: number][]) {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length
  const [meanX, meanY] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))]
  const spread = points.reduce((sum, [x]) => sum + (x - meanX) ** 2, 0)
  const slope = points.reduce((sum, [x, y]) => sum + (x - meanX) * (y - meanY), 0) / spread
  const rest = points.reduce((sum, [x, y]) => sum + (y - meanY - slope * (x - meanX)) ** 2, 0)
  return { slope, error: Math.sqrt(rest / (points.length - 2) / spread) }
}

function medianHandles(samples: Sample[]) {
  return samples.map(({ handles }) => handles).toSorted((a, b) => a - b)[samples.length >> 1] ?? 0
}
