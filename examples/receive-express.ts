// Receives webhooks with Express: verifies each delivery, drops those that come again, and prints the event.
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from '@petstore/client'
import express from 'express'

const secret = process.env['WEBHOOK_SECRET'] ?? ''
if (!secret.startsWith('whsec_')) throw new Error('Set WEBHOOK_SECRET to the secret of the webhook, whsec_….')

// In production, a table with the id as its primary key, written in the transaction that stores what the event leads to.
const received = new Set<string>()

const app = express()
// The signature is that of the bytes. `express.json()` would not keep them.
app.use(express.raw({ type: () => true }))
app.post('/hooks', async (request, response) => {
  try {
    receive(await verifyWebhook(request.body ?? '', request.headers, secret))
    response.sendStatus(204)
  } catch (error) {
    // Anything else is a 500, and the event comes again.
    if (!(error instanceof WebhookVerificationError)) throw error
    console.warn(`rejected: ${error.message}`)
    response.status(400).type('text').send(error.message)
  }
})

const server = app.listen(Number(process.env['PORT'] ?? 9000), '127.0.0.1', (error) => {
  if (error) throw error
  const address = server.address()
  console.log(`Listening on http://127.0.0.1:${typeof address === 'object' && address?.port}/hooks`)
})

/** Store the event before you respond: a 2xx says that you have it. Do what takes longer than a second afterwards. */
function receive({ id, type, subject, data: { pet } }: WebhookEvent) {
  if (received.has(id)) return
  // Accept types that you don't know: an event that is not accepted holds up all others.
  if (!pet) console.log(`${type}: ${subject}`)
  else console.log(`${type}: ${pet.id} ${pet.name} is ${pet.status ?? 'without a status'}, version ${pet.version}`)
  received.add(id)
}
