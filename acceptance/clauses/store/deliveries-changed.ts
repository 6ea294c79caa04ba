import { setTimeout as sleep } from 'node:timers/promises'
import type { Clause, Context } from '../../clause.ts'
import { about, deliveryClause, type Opened, soldPet } from '../../deliveries.ts'
import { caughtUp, endOfFeed } from '../../events.ts'
import type { Pet } from '../../expect.ts'
import { expectDeleted } from '../../store.ts'
import { change, inTurn, removeWebhook, webhookOf } from '../../webhooks.ts'

/** What was being sent when a webhook was changed or deleted has ended by then. */
const STILL_SENT_MS = 15_000
/** The process that sends has noticed a change by then. */
const NOTICED_MS = 3_000
const SILENCE_MS = 1_500
const SALE = 'the event that a pet was sold'

/** A cursor of the feed after all events of now. */
async function cursorOfNow(context: Context) {
  const { next } = await caughtUp(context, await endOfFeed(context))
  return new URLSearchParams(next).get('cursor') ?? ''
}

async function changeWebhook({ call }: Context, { webhook }: Opened, body: string) {
  webhookOf(await call(change(webhook.id, body)))
}

async function expectReceived({ receiver }: Opened, ...pets: Pet[]) {
  for (const pet of pets) await receiver.until(1, SALE, about(pet))
}

function expectNone({ receiver }: Opened, ...pets: Pet[]) {
  const early = receiver.received.find(about(...pets))
  receiver.expect(early === undefined, 'no request', 'one', early)
}

export const DELIVERIES_CHANGED: Clause[] = [
  deliveryClause(
    'webhooks.w11',
    'W11: A deleted webhook is not called any more, 15 s after its 204.',
    async (context, open) => {
      const opened = await open()
      const { receiver, webhook } = opened
      await expectReceived(opened, await soldPet(context))
      expectDeleted(await inTurn(() => context.call(removeWebhook(webhook.id))))
      const deleted = performance.now()
      for (const ms of [STILL_SENT_MS / 2, STILL_SENT_MS / 2, SILENCE_MS]) {
        await sleep(ms)
        await soldPet(context)
      }
      const late = receiver.received.find(({ at }) => at > deleted + STILL_SENT_MS)
      receiver.expect(late === undefined, 'no request', 'one', late)
    },
  ),
  deliveryClause(
    'webhooks.w6.replay',
    'W6: A cursor that moves a webhook back sends the events again, with the same ids.',
    async (context, open) => {
      const opened = await open()
      const { receiver } = opened
      const cursor = await cursorOfNow(context)
      const pets = [await soldPet(context), await soldPet(context)]
      await expectReceived(opened, ...pets)
      const before = receiver.received.filter(about(...pets))
      const moved = performance.now()
      await changeWebhook(context, opened, `{"cursor":"${cursor}"}`)
      for (const pet of pets) {
        const first = before.find(about(pet))
        const [again] = await receiver.until(1, `${SALE}, again`, (each) => about(pet)(each) && each.at > moved)
        const isSame = again.body === first?.body && again.headers['webhook-id'] === first?.headers['webhook-id']
        receiver.expect(isSame, 'the same event with the same `webhook-id`', 'another', again)
      }
    },
  ),
  deliveryClause(
    'webhooks.w6.skip',
    'W6: A cursor that moves a webhook forward skips the events before it.',
    async (context, open) => {
      const opened = await open()
      await changeWebhook(context, opened, '{"state":"paused"}')
      await sleep(NOTICED_MS)
      const skipped = await soldPet(context)
      await changeWebhook(context, opened, `{"cursor":"${await cursorOfNow(context)}","state":"active"}`)
      await expectReceived(opened, await soldPet(context))
      expectNone(opened, skipped)
    },
  ),
  deliveryClause(
    'webhooks.delivery.pause',
    'A paused webhook receives nothing, and once it is active all that came meanwhile.',
    async (context, open) => {
      const opened = await open()
      await expectReceived(opened, await soldPet(context))
      await changeWebhook(context, opened, '{"state":"paused"}')
      await sleep(NOTICED_MS)
      const pets = [await soldPet(context), await soldPet(context)]
      await sleep(SILENCE_MS)
      expectNone(opened, ...pets)
      await changeWebhook(context, opened, '{"state":"active"}')
      await expectReceived(opened, ...pets)
    },
  ),
  deliveryClause(
    'webhooks.delivery.types.changed',
    'A webhook that gets other types receives these from then on.',
    async (context, open) => {
      const opened = await open(['pets.imported'])
      // By then something delivers to it, which learns of the change a little later, and may have passed over the event.
      await sleep(NOTICED_MS)
      await changeWebhook(context, opened, '{"types":["order.completed"]}')
      await expectReceived(opened, await soldPet(context))
    },
  ),
]
