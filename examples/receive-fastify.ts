// Receives webhooks with Fastify: verifies each delivery, drops those that come again, and prints the event.
import { verifyWebhook, type WebhookEvent, WebhookVerificationError } from '@petstore/client'
import Fastify from 'fastify'

const secret = process.env['WEBHOOK_SECRET'] ?? ''
if (!secret.startsWith('whsec_')) throw new Error('Set WEBHOOK_SECRET to the secret of the webhook, whsec_….')

// In production, a table with the id as its primary key, written in the transaction that stores what the event leads to.
const received = new Set<string>()

const app = Fastify()
// The signature is that of the bytes. Fastify's own parser would not keep them.
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
app.post<{ Body: Buffer | undefined }>('/hooks', async (request, reply) => {
  try {
    receive(await verifyWebhook(request.body ?? '', request.headers, secret))
    return reply.code(204).send()
  } catch (error) {
    // Anything else is a 500, and the event comes again.
    if (!(error instanceof WebhookVerificationError)) throw error
    console.warn(`rejected: ${error.message}`)
    return reply.code(400).type('text/plain').send(error.message)
  }
})

const address = await app.listen({ port: Number(process.env['PORT'] ?? 9000), host: '127.0.0.1' })
console.log(`Listening on ${address}/hooks`)

/** Store the event before you respond: a 2xx says that you have it. Do what takes longer than a second afterwards. */
function receive({ id, type, subject, data: { pet } }: WebhookEvent) {
  if (received.has(id)) return
  // Accept types that you don't know: an event that is not accepted holds up all others.
  if (!pet) console.log(`${type}: ${subject}`)
  else console.log(`${type}: ${pet.id} ${pet.name} is ${pet.status ?? 'without a status'}, version ${pet.version}`)
  received.add(id)
}
