import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { compare } from '../check.ts'
import type { Fault, Outcome, Stage } from '../fault.ts'
import { startLoad } from '../load.ts'
import type { Rig } from '../rig/rig.ts'
import { brokenBy, countsOf, type Injection, percentile, playRound } from '../under-load.ts'

interface Sample {
  /** Hours since the beginning. */
  at: number
  megabytes: number
  handles: number
}

const EVERY_MS = 60_000
const MINUTES = 60
/** Until then a process still grows into its work. */
const WARM_UP_SHARE = 0.25
const MOST_MEGABYTES_AN_HOUR = 10
const MOST_NEW_HANDLES = 20

/** A random fault a minute for an hour. Not those that restart the service: what it holds on to would go with it. */
export function soakOf(injections: Injection[]): Fault {
  return {
    name: 'soak',
    injected: 'a random one of the faults above each minute, for an hour',
    invariant: 'none lost, none twice, memory and handles of the service stay flat',
    byNameOnly: true,
    run: (stage) => soak(stage, injections),
  }
}

async function soak(stage: Stage, injections: Injection[]): Promise<Outcome> {
  const minutes = stage.times ?? (stage.quick ? 4 : MINUTES)
  const rig = await stage.rig()
  const label = `soak ${Date.now()}`
  const load = startLoad({ baseUrl: rig.baseUrl, key: rig.key, label, keyed: stage.keyed, perSecond: 100 })
  const samples = rig.services.map((): Sample[] => [])
  const [outages, broken]: [number[], string[]] = [[], []]
  const begun = performance.now()
  for (let number = 1; number <= minutes; number++) {
    const injection = injections[Math.floor(Math.random() * injections.length)]
    if (!injection) throw new Error('The soak has no fault to choose from.')
    const broke = (sentence: string) => broken.push(`minute ${number}, ${injection.name}: ${sentence}`)
    const played = await playRound(rig, load, injection, { number, broke })
    if (played === undefined) break
    outages.push(played.outageMs)
    await sleep(Math.max(0, begun + number * EVERY_MS - performance.now()))
    sample(rig, samples, (performance.now() - begun) / 3_600_000)
    const now = samples.map((of) => `${Math.round(of.at(-1)?.megabytes ?? 0)} MB ${of.at(-1)?.handles} handles`)
    stage.say(`minute ${number} of ${minutes}, ${injection.name}: ${played.told}; services ${now.join(', ')}`)
  }
  await load.stop()
  const verdict = await compare(rig.databaseUrl, label, load.acknowledged)
  const grown = samples.map((of) => growthOf(of.slice(Math.floor(of.length * WARM_UP_SHARE))))
  return {
    times: minutes,
    ...countsOf(load, verdict),
    outageMs: { p50: percentile(outages, 0.5), max: percentile(outages, 1) },
    megabytesAnHour: grown.map(({ megabytesAnHour }) => megabytesAnHour),
    newHandles: grown.map(({ newHandles }) => newHandles),
    broken: [
      ...brokenBy(verdict),
      ...broken,
      // In a few minutes a slope says nothing.
      ...(minutes < MINUTES ? [] : grown.flatMap(overgrown)),
    ],
  }
}

function sample({ services }: Rig, samples: Sample[][], at: number) {
  for (const [i, { pid }] of services.entries()) {
    const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    const handles = readdirSync(`/proc/${pid}/fd`).length
    samples[i]?.push({ at, megabytes: (Number(kibibytes) * 1_024) / 1e6, handles })
  }
}

/** The slope of the line that lies nearest to all samples. */
export function growthOf(samples: Sample[]) {
  const mean = (pick: (sample: Sample) => number) => samples.reduce((sum, one) => sum + pick(one), 0) / samples.length
  const [at, megabytes] = [mean((one) => one.at), mean((one) => one.megabytes)]
  const together = mean((one) => (one.at - at) * (one.megabytes - megabytes))
  const spread = mean((one) => (one.at - at) ** 2)
  return {
    megabytesAnHour: Number((together / spread).toFixed(1)),
    newHandles: (samples.at(-1)?.handles ?? 0) - (samples[0]?.handles ?? 0),
  }
}

function overgrown({ megabytesAnHour, newHandles }: ReturnType<typeof growthOf>, i: number) {
  return [
    ...(megabytesAnHour > MOST_MEGABYTES_AN_HOUR ? [`service ${i + 1} grows by ${megabytesAnHour} MB an hour`] : []),
    ...(newHandles > MOST_NEW_HANDLES ? [`service ${i + 1} has ${newHandles} handles more than at the beginning`] : []),
  ]
}
