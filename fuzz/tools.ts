import { anyToolCall, CATEGORY_NAMES, HOSTILE_NAMES, type Tool } from './generators/tools.ts'
import { type Session, sendOne, toBytes, type Violation } from './properties.ts'
import { fill, plainRequest, type Request } from './request.ts'
import { generate } from './shrink.ts'

// As many as a page may have.
const PAGE = 100
// No other generator names these.
const FIRST_CATEGORY = 1_000_001
const STATUSES = [200, 400, 404, 413]
const JSON_BODY: Request['headers'] = [['Content-Type', 'application/json']]

/**
 * Calls the tools of agents, one call at a time, so that what each costs is measured, in a store whose newest pets and events are costly to
 * show. It comes last: the fuzzer does not know what a call has changed.
 */
export async function tryTools(session: Session, count: number, seed: number): Promise<Violation[]> {
  const tools = await listTools(session)
  if (tools.length === 0) return []
  for (let i = 0; i < PAGE; i++) {
    const name = HOSTILE_NAMES[i % HOSTILE_NAMES.length]
    await sendOne(
      session,
      fill(plainRequest('POST', '/v1/pets', JSON_BODY, asBody({ name, categoryId: 1 })), session.store),
    )
  }
  for (const [i, name] of CATEGORY_NAMES.entries())
    await sendOne(
      session,
      fill(plainRequest('PUT', `/v1/categories/${FIRST_CATEGORY + i}`, JSON_BODY, asBody({ name })), session.store),
    )
  const calls = generate(anyToolCall(tools), seed)
  for (let i = 0; i < count; i++) {
    const request = fill(calls.next().value.value, session.store)
    const { response, fault } = await exchange(session, request)
    const message = fault ?? (response && faultIn(response))
    if (message !== undefined) return [{ message, sent: [{ requests: [request] }] }]
  }
  return []
}

/** None where the service has them turned off. */
async function listTools(session: Session) {
  const body = asBody({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const { response } = await exchange(session, fill(plainRequest('POST', '/v1/mcp', JSON_BODY, body), session.store))
  if (response?.status !== 200) return []
  return (JSON.parse(response.body.toString()) as { result: { tools: Tool[] } }).result.tools
}

async function exchange({ wire }: Session, request: Request) {
  const { responses, fault } = await wire.exchange({ bytes: toBytes(request), methods: [request.method] })
  return { response: responses[0], fault }
}

/** What a tool rejects is a result, whose status is in its text. */
function faultIn({ status, body }: { status: number; body: Buffer }) {
  const text = body.toString()
  const isFailure = !STATUSES.includes(status) || /\\"status\\":(?:5\d\d|429)\b/.test(text)
  return isFailure ? `a tool failed with ${status}: ${text.slice(0, 200)}` : undefined
}

function asBody(value: object) {
  return Buffer.from(JSON.stringify(value)).toString('latin1')
}
