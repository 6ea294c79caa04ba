import { markdownTable, whole } from '../report.ts'
import { log } from '../rig.ts'
import { deliveriesOf } from './deliveries.ts'
import { untilNumbered } from './events.ts'
import { deliverFor, type WebhookRig } from './rig.ts'
import { endOfFeed, moveWebhooks, untilCaughtUp } from './rows.ts'

export interface CatchUpPlan {
  behind: number
  /** Events that continue to come. */
  perSecond: number
  mostSeconds: number
}

/** How an endpoint that was not reachable for long gets what it has missed. */
export interface CatchUp {
  behind: number
  perSecond: number
  /** Undefined if it took longer than it may. */
  seconds: number | undefined
  delivered: number
  lost: number
  disordered: number
}

export async function measureCatchUp(rig: WebhookRig, id: string, plan: CatchUpPlan): Promise<CatchUp> {
  await using resources = new AsyncDisposableStack()
  const { database, receiver, writer } = rig
  const position = await endOfFeed(database)
  log(`one endpoint misses ${whole(plan.behind)} events …`)
  await writer.addBacklog(plan.behind)
  await moveWebhooks(database, [id], position)
  await receiver.take() // of measurements before
  const over = new AbortController()
  const adding = writer.addAtPace(plan.perSecond, Number.POSITIVE_INFINITY, over.signal)
  resources.use(await deliverFor(rig))
  log(`it catches up, while ${plan.perSecond} more come in a second …`)
  // As many as come in a second are always on their way.
  const seconds = await untilCaughtUp(database, [id], plan.perSecond, plan.mostSeconds * 1_000)
  over.abort()
  const last = position.sequence + plan.behind + (await adding)
  await untilNumbered(database, last)
  if (seconds !== undefined) await untilCaughtUp(database, [id], 0, 30_000)
  const { delivered, lost, disordered } = deliveriesOf(await receiver.take(), [id], [position.sequence, last])
  return { behind: plan.behind, perSecond: plan.perSecond, seconds, delivered, lost, disordered }
}

/** What was missed, as sentences. */
export function missedCatchUp({ behind, seconds, lost, disordered }: CatchUp, mostSeconds: number) {
  if (seconds === undefined)
    return [`an endpoint ${whole(behind)} events behind did not catch up within ${mostSeconds} s`]
  return [
    ...(lost === 0 ? [] : [`${whole(lost)} of the events that were missed were not delivered`]),
    ...(disordered === 0
      ? []
      : [`${whole(disordered)} of the events that were missed came in another order than the versions of their pet`]),
  ]
}

export function catchUpTable({ behind, perSecond, seconds, delivered, lost, disordered }: CatchUp) {
  return markdownTable(
    ['events behind', 'more /s', 'caught up after', 'deliveries /s', 'lost', 'out of order'],
    [
      [
        whole(behind),
        whole(perSecond),
        seconds === undefined ? 'never' : `${(seconds / 60).toFixed(1)} min`,
        seconds === undefined ? '' : whole(delivered / seconds),
        whole(lost),
        whole(disordered),
      ],
    ],
  )
}
