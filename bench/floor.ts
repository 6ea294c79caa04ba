import { createServer } from 'node:http'

// As fast as Node can be here: what the service would do if it did nothing. Run as a process of its own, PORT in the environment.
const body = JSON.stringify(
  Array.from({ length: 20 }, (_, n) => ({ id: n + 1, name: `Pet ${n}`, categoryId: n, status: 'available' })),
)
const headers = {
  'content-type': 'application/json',
  'content-length': body.length,
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'request-id': '00000000-0000-4000-8000-000000000000',
}
const server = createServer((_request, response) => {
  response.writeHead(200, headers).end(body)
})
server.listen({ host: '127.0.0.1', port: Number(process.env['PORT']), reusePort: true }, () =>
  process.send?.('listening'),
)
