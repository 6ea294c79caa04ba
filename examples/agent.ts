// What an agent does, without a model: it finds a pet by names, reserves it, reads what happened, and completes the order. Each step is a tool
// call, by the client of the protocol's own SDK.
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

interface Pet {
  id: string
  name: string
  status?: string
  categoryName?: string
  version: string
}

interface Order {
  id: string
  status: string
}

interface Event {
  type: string
  data: { pet?: Pet }
}

const url = new URL(`${process.env['PETSTORE_URL'] ?? 'http://127.0.0.1:8080/v1'}/mcp`)
const headers = { authorization: `Bearer ${process.env['PETSTORE_KEY'] ?? ''}` }
const client = new Client({ name: 'agent', version: '1.0.0' }, { versionNegotiation: { mode: 'auto' } })

try {
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }))
  const { tools } = await client.listTools()
  console.log(`protocol ${client.getNegotiatedProtocolVersion()}, tools: ${tools.map(({ name }) => name).join(', ')}`)

  // "Have you a dog called Rex, and what else is free in that category?" From names alone: the person knows no id.
  const { pets: found } = await call<{ pets: Pet[] }>('find_pets', { name: 'Rex', category: 'dog' })
  const rex = found[0]
  console.log(rex ? `${rex.name}, ${rex.categoryName}, is ${rex.status ?? 'not for sale'}` : 'no dog is called Rex')
  const { pets } = await call<{ pets: Pet[] }>('find_pets', { category: 'dog', status: 'available', limit: 20 })
  const others = pets.filter(({ id }) => id !== rex?.id)
  console.log(`other dogs that are free: ${others.map(({ name }) => name).join(', ') || 'none'}`)

  const pet = pets[0]
  if (!pet) throw new Error('The store needs a pet whose status is available, in a category called dog.')
  console.log(`found ${pet.id} ${pet.name}, version ${pet.version}`)

  // Ask the person before this, and before close_order: hosts do so for tools that are not read-only.
  const order = await call<Order>('order_pet', { petId: pet.id, idempotencyKey: crypto.randomUUID() })
  console.log(`reserved ${pet.name}: ${order.id}`)
  console.log(`another buyer wants ${pet.name}: ${await codeOf('order_pet', { petId: pet.id })}`)

  const { events } = await call<{ events: Event[] }>('read_events', { petId: pet.id, limit: 100 })
  const last = events.at(-1)
  console.log(`last event: ${last?.type}, ${last?.data.pet?.name} is ${last?.data.pet?.status}`)

  const sold = await call<Order>('close_order', { orderId: order.id, action: 'complete' })
  console.log(`${sold.status} ${sold.id}`)
  const [now] = (await call<{ pets: Pet[] }>('find_pets', { id: [pet.id] })).pets
  console.log(`${pet.name} is ${now?.status}, version ${now?.version}`)
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
} finally {
  await client.close()
}

/** The result of a tool. */
async function call<Result>(name: string, args: Record<string, unknown>): Promise<Result> {
  const { isError, structuredContent, content } = await client.callTool({ name, arguments: args })
  if (!isError) return structuredContent as Result
  const { code, message } = errorOf(content)
  throw new Error(`${code}: ${message}`)
}

async function codeOf(name: string, args: Record<string, unknown>) {
  const { status, code } = errorOf((await client.callTool({ name, arguments: args })).content)
  return `${status} ${code}`
}

/** What a tool rejects is a result as well: as text, for the model to read. */
function errorOf([first]: CallToolResult['content']) {
  return JSON.parse(first?.type === 'text' ? first.text : '{}') as { code: string; message: string; status: number }
}
