import type pg from 'pg'
import { startDeliver } from '../service.ts'
import type { EventWriter } from './events.ts'
import type { Receiver } from './receiver.ts'
import { MASTER_SECRET } from './rows.ts'

/** What all measurements of webhooks share: a process sequences events, and a receiver is ready. */
export interface WebhookRig {
  databaseUrl: string
  database: pg.Client
  postgresPid: number
  receiver: Receiver
  writer: EventWriter
}

/** One more `petstore deliver`, which trusts the receiver. */
export async function deliverFor({ databaseUrl, receiver }: Pick<WebhookRig, 'databaseUrl' | 'receiver'>) {
  return await startDeliver(databaseUrl, {
    WEBHOOK_MASTER_SECRET: MASTER_SECRET,
    WEBHOOK_NETWORKS: '127.0.0.0/8',
    NODE_EXTRA_CA_CERTS: receiver.certificate,
  })
}
