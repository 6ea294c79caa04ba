import { setTimeout as sleep } from 'node:timers/promises'
import { compare } from '../check.ts'
import type { Fault, Outcome, Stage } from '../fault.ts'
import { EVERY_PIECE, FaultyWire } from '../faulty-wire.ts'
import { startLoad } from '../load.ts'
import { brokenBy, brokenRejections, countsOf } from '../promises.ts'
import { openStore, startServices } from '../store.ts'
import { query } from '../stored.ts'

const SHARE = 0.1
const [PETS, PETS_QUICK] = [100_000, 5_000]
const SAY_EVERY_MS = 5_000

const LOSE_WORDS = `
  create function lose_words() returns trigger language plpgsql as $$
  begin
    return null;
  end $$;
  create trigger lose_words before insert on pet_words for each row when (new.pet_id % 100 = 0)
  execute function lose_words()`

/** The pet is stored, but the acknowledgement is lost: from the database to the service, or from the service to the client. */
export const lostAcks: Fault = {
  name: 'lost-acks',
  injected: 'a proxy resets the connection instead of forwarding 10 % of the responses, on both sides of the service',
  invariant: 'none lost, none twice, all found by name',
  quick: true,
  run: loseAcknowledgements,
}

async function loseAcknowledgements(stage: Stage): Promise<Outcome> {
  await using resources = new AsyncDisposableStack()
  stage.say('starting PostgreSQL and two processes of the service …')
  const { databaseUrl, key } = await openStore(stage, resources)
  if (stage.losesWords) await query(databaseUrl, LOSE_WORDS)
  const toDatabase = await FaultyWire.toDatabase(databaseUrl)
  resources.use(toDatabase.proxy)
  const services = await startServices(stage, resources, toDatabase.url, { count: 2 })
  const targets = services.map(({ address }) => ({ host: address, port: 8080 }))
  const toService = resources.use(await FaultyWire.start(targets, EVERY_PIECE))
  for (const proxy of [toService, toDatabase.proxy]) proxy.cutShare = SHARE

  const pets = stage.times ?? (stage.quick ? PETS_QUICK : PETS)
  const label = `lost-acks ${Date.now()}`
  const baseUrl = `http://127.0.0.1:${toService.port}/v1`
  const load = startLoad({ baseUrl, key, label, keyed: stage.keyed, perSecond: 10_000, callers: 256 })
  const begun = performance.now()
  for (let saidAt = begun; load.acknowledged.length < pets; await sleep(20)) {
    if (performance.now() - saidAt < SAY_EVERY_MS) continue
    saidAt = performance.now()
    stage.say(`${load.acknowledged.length} of ${pets} pets, ${cutOf(toService)} responses of the service lost`)
  }
  await load.stop()
  const seconds = Math.round((performance.now() - begun) / 1_000)

  for (const proxy of [toService, toDatabase.proxy]) proxy.cutShare = 0
  const verdict = await compare({ databaseUrl, baseUrl, key }, label, load.acknowledged)
  const cut = { service: cutOf(toService), database: cutOf(toDatabase.proxy) }
  return {
    times: 1,
    ...countsOf(load, verdict),
    cut,
    seconds,
    broken: [
      ...brokenBy(verdict),
      ...brokenRejections(load),
      ...(cut.service > pets * SHARE * 0.9 && cut.database > 0
        ? []
        : [`too few responses were cut off: ${JSON.stringify(cut)}`]),
    ],
  }
}

function cutOf({ counts }: FaultyWire) {
  return counts.cut
}
