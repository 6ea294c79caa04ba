import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault, Outcome, Stage } from '../fault.ts'
import { growthOf, overgrown, type Sample } from '../growth.ts'
import { startLoad } from '../load.ts'
import { brokenBy, brokenRejections, countsOf } from '../promises.ts'
import type { ServiceProcess } from '../rig/service.ts'
import { compareOnRig, type Injection, percentile, playRound } from '../under-load.ts'

const EVERY_MS = 60_000
const SAMPLED_EVERY_MS = 10_000
const MINUTES = 60
// A process grows until it has warmed up: first as many requests as the hour has, at full speed.
const WARM_UP_MS = 360_000
const WARM_UP_LOAD = { perSecond: 1_500, callers: 64 }

/** A random fault a minute for an hour. Not those that restart the service: what it holds on to would go with it. */
export function soakOf(injections: Injection[]): Fault {
  return {
    name: 'soak',
    injected: 'a random one of the faults above each minute, for an hour',
    invariant: 'none lost, none twice, all found by name, memory and handles of the service stay flat',
    run: (stage) => soak(stage, injections),
  }
}

async function soak(stage: Stage, injections: Injection[]): Promise<Outcome> {
  const minutes = stage.times ?? (stage.quick ? 4 : MINUTES)
  const rig = await stage.rig()
  const label = `soak ${Date.now()}`
  const target = { baseUrl: rig.baseUrl, key: rig.key, keyed: stage.keyed }
  if (minutes >= MINUTES) {
    const warmUp = startLoad({ ...target, ...WARM_UP_LOAD, label: `warm-up for ${label}` })
    await sleep(WARM_UP_MS)
    await warmUp.stop()
    stage.say(`warm after ${warmUp.acknowledged.length} pets`)
  }
  const load = startLoad({ ...target, label, perSecond: 100 })
  const [outages, broken]: [number[], string[]] = [[], []]
  const begun = performance.now()
  const watching = rig.services.map((service) => watch(service, begun))
  for (let number = 1; number <= minutes; number++) {
    const injection = injections[Math.floor(Math.random() * injections.length)]
    if (!injection) throw new Error('The soak has no fault to choose from.')
    const broke = (sentence: string) => broken.push(`minute ${number}, ${injection.name}: ${sentence}`)
    const played = await playRound(rig, load, injection, { number, others: undefined, broke })
    if (played === undefined) break
    outages.push(played.outageMs)
    await sleep(Math.max(0, begun + number * EVERY_MS - performance.now()))
    const now = watching.map(({ samples }) => samples.at(-1))
    const held = now.map((one) => `${Math.round(one?.megabytes ?? 0)} MB ${one?.handles} handles`)
    stage.say(`minute ${number} of ${minutes}, ${injection.name}: ${played.summary}; services ${held.join(', ')}`)
  }
  for (const { end } of watching) end()
  await load.stop()
  const verdict = await compareOnRig(rig, label, load.acknowledged)
  const grown = watching.map(({ samples }) => growthOf(samples))
  return {
    times: outages.length,
    ...countsOf(load, verdict),
    outageMs: { p50: percentile(outages, 0.5), max: percentile(outages, 1) },
    megabytesAnHour: grown.map(({ megabytesAnHour }) => megabytesAnHour),
    standardError: grown.map(({ standardError }) => standardError),
    newHandles: grown.map(({ newHandles }) => newHandles),
    broken: [
      ...brokenBy(verdict),
      ...broken,
      ...brokenRejections(load),
      ...watching.flatMap(({ gone }) => gone),
      // In a few minutes a slope says nothing.
      ...(outages.length < MINUTES ? [] : grown.flatMap(overgrown)),
    ],
  }
}

/** Polls what a process holds. One that has exited is reported: nothing here stops it. */
function watch({ name, pid }: ServiceProcess, begun: number) {
  const [samples, gone]: [Sample[], string[]] = [[], []]
  const timer = setInterval(() => {
    try {
      samples.push({ at: (performance.now() - begun) / 3_600_000, ...heldBy(pid) })
    } catch (error) {
      gone.push(`${name} has ended: ${String(error)}`)
      clearInterval(timer)
    }
  }, SAMPLED_EVERY_MS)
  return { samples, gone, end: () => clearInterval(timer) }
}

function heldBy(pid: number) {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  return { megabytes: (Number(kibibytes) * 1_024) / 1e6, handles: readdirSync(`/proc/${pid}/fd`).length }
}
