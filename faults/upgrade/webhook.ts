import pg from 'pg'
import type { Receiver } from '../../bench/webhooks/receiver.ts'
import { untilCaughtUp } from '../../bench/webhooks/rows.ts'
import { createPetstore } from '../../packages/client/src/index.ts'
import { brokenRules, judge } from '../deliver/judge.ts'
import type { DeliverProcess } from '../deliver/process.ts'
import { feedAfter } from '../deliver/stored.ts'
import type { Program } from '../rig/service.ts'

export interface WebhookOptions {
  baseUrl: string
  key: string
  databaseUrl: string
  receiver: Receiver
  process: DeliverProcess
}

const NAME = 'shop'
const CAUGHT_UP_WITHIN_MS = 120_000

/** A webhook of all events, and the process that delivers to it while the service is of this version. */
export class Webhook {
  deliveries = 0
  readonly #options: WebhookOptions
  readonly #id: string
  /** The last number of the feed that is not to be delivered. */
  #position: number

  private constructor(options: WebhookOptions, id: string, position: number) {
    this.#options = options
    this.#id = id
    this.#position = position
  }

  static async create(options: WebhookOptions) {
    const { receiver, baseUrl, key } = options
    const { webhooks } = createPetstore({ baseUrl, key, retries: 0 })
    const { id, secret, sequence } = await webhooks.create({ url: receiver.urlOf({ name: NAME }) })
    await receiver.set([{ name: NAME, secret, failRate: 0, delayMs: 0 }])
    return new Webhook(options, id, Number(sequence))
  }

  start(program: Program) {
    this.#options.process.start(program)
  }

  /** Ends the process when all events are delivered, and judges. `acknowledged` are changes that must be among them. */
  async end(acknowledged: string[]) {
    const { receiver, process, databaseUrl } = this.#options
    const database = new pg.Client(databaseUrl)
    await database.connect()
    const seconds = await untilCaughtUp(database, [this.#id], 0, CAUGHT_UP_WITHIN_MS)
    await process.end('SIGTERM')
    const events = await feedAfter(database, this.#position)
    await database.end()
    const delivered = await receiver.take()
    this.deliveries += delivered.length
    const { wrong } = await receiver.count()
    const endpoints = [{ name: NAME, types: undefined }]
    const violations = judge({ endpoints, events, acknowledged, delivered, kills: [] })
    return {
      lost: violations.lost.length,
      twice: violations.twice.length,
      broken: [
        ...brokenRules(violations),
        ...(seconds === undefined ? ['the webhook was still behind minutes after the last change'] : []),
        ...(wrong[0] === undefined ? [] : [`${wrong.length} deliveries were wrong, as this one: ${wrong[0]}`]),
      ],
    }
  }

  /** After a rollback the feed has begun again: what was before is not delivered. */
  async continue() {
    const database = new pg.Client(this.#options.databaseUrl)
    await database.connect()
    const { rows } = await database.query<{ epoch: string }>('select epoch from feed_pages order by first desc limit 1')
    await database.end()
    this.#position = Number(rows[0]?.epoch) - 1
  }
}
