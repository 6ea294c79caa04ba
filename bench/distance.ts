import { once } from 'node:events'
import { type AddressInfo, connect, createServer } from 'node:net'

/** The URL of the same database, but so many milliseconds away: each of its responses arrives that much later. */
export async function atDistance(resources: AsyncDisposableStack, databaseUrl: string, ms: number) {
  const url = new URL(databaseUrl)
  const { hostname, port } = url
  const server = createServer((near) => {
    const far = connect(Number(port), hostname)
    near.pipe(far)
    far.on('data', (chunk) => setTimeout(() => near.write(chunk), ms))
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      one.on('error', () => other.destroy())
      one.on('close', () => other.destroy())
    }
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  resources.defer(() => void server.close())
  url.port = String((server.address() as AddressInfo).port)
  return url.href
}
