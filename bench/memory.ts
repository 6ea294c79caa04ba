import { setTimeout as sleep } from 'node:timers/promises'
import { measureService } from './measure.ts'
import { memoryPlot, type Series } from './memory-plot.ts'
import { OPERATIONS } from './operations.ts'
import { residentMegabytes } from './processes.ts'
import { markdownTable, whole } from './report.ts'
import { log, setUp } from './rig.ts'
import type { Scenario } from './scenario.ts'

const MAX_MEGABYTES = 200
const MAX_GROWTH = 10
const CONNECTIONS_EACH = 16
const [MINUTE, LAST] = [60, 120]

/** Under every kind of request at once, no process grows. */
export const memory: Scenario = async (resources, { quick, workers }) => {
  const [pets, seconds] = quick ? [100_000, 10] : [1_000_000, 600]
  const { service, key } = await setUp(resources, { pets, workers })
  log(`${OPERATIONS.map(({ name }) => name).join(', ')} at the same time for ${seconds} s …`)
  const load = { connections: CONNECTIONS_EACH, seconds, pets }
  const [series, ...rates] = await Promise.all([
    sample(service.pid, seconds),
    ...OPERATIONS.map((operation) => measureService(service.url, key, operation, load)),
  ])
  const perSecond = rates.reduce((sum, rate) => sum + rate.perSecond, 0)
  return {
    setting: `\`WORKERS=${workers}\`, ${seconds} s, ${whole(perSecond)} requests a second`,
    figures: tableOf(series),
    data: { series, perSecond },
    plot: memoryPlot(series, MAX_MEGABYTES, 'Megabytes of each process under mixed full load'),
    missed: excesses(series),
  }
}

/** Once a second, of the process and of those it has started. Of one that has ended there is no number any more. */
async function sample(pid: number, seconds: number): Promise<Series[]> {
  const begun = performance.now()
  const series = Array.from(residentMegabytes(pid).keys(), (id, i) => ({
    id,
    name: i === 0 ? 'petstore serve' : `worker ${i}`,
    megabytes: [] as number[],
  }))
  for (let second = 1; second <= seconds; second++) {
    await sleep(Math.max(0, begun + second * 1_000 - performance.now()))
    const now = residentMegabytes(pid)
    for (const { id, megabytes } of series) megabytes.push(now.get(id) ?? Number.NaN)
    if (second % MINUTE === 0) log(`${second} s: ${Array.from(now.values(), whole).join(', ')} MB`)
  }
  return series
}

/** What is over the bounds, as sentences. A run that is too short for growth is judged by the most alone. */
export function excesses(series: Series[]) {
  return series.flatMap(({ name, megabytes }) => {
    if (megabytes.some(Number.isNaN)) return [`${name} ended under the load`]
    const [most, growth] = [Math.max(...megabytes), growthOf(megabytes)]
    return [
      ...(most <= MAX_MEGABYTES ? [] : [`${name} took ${whole(most)} MB, not ${MAX_MEGABYTES}`]),
      ...(growth === undefined || growth <= MAX_GROWTH
        ? []
        : [`${name} grew by ${whole(growth)} MB after its second minute, not ${MAX_GROWTH}`]),
    ]
  })
}

/** From the mean of the second minute to that of the last two: garbage comes and goes within each. */
function growthOf(megabytes: number[]) {
  if (megabytes.length < 2 * MINUTE + LAST) return undefined
  return mean(megabytes.slice(-LAST)) - mean(megabytes.slice(MINUTE, 2 * MINUTE))
}

function mean(values: number[]) {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}

function tableOf(series: Series[]) {
  return markdownTable(
    ['process', 'most', 'at the end', 'growth after the second minute'],
    series.map(({ name, megabytes }) => {
      const growth = growthOf(megabytes)
      return [
        name,
        `${whole(Math.max(...megabytes))} MB`,
        `${whole(megabytes.at(-1) ?? Number.NaN)} MB`,
        growth === undefined ? 'run too short' : `${growth.toFixed(1)} MB`,
      ]
    }),
  )
}
