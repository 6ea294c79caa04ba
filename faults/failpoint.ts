import { subscribe } from 'node:diagnostics_channel'
import { type IncomingMessage, ServerResponse } from 'node:http'
import pg from 'pg'
import type { AnyFailpoint } from './failpoints.ts'

// Given to a service by `node --import`: ends its process at one point of the way of a write, as a crash would, and
// so without notifying anything. The service itself knows nothing of it.

interface Sent {
  name?: string
  text: string
}

const point = process.env['FAILPOINT'] as AnyFailpoint
const statement = process.env['FAILPOINT_STATEMENT']
const method = process.env['FAILPOINT_METHOD']

// What the process does of its own accord, such as pruning keys, has transactions too.
let isArmed = method === ''
subscribe('http.server.request.start', (message) => {
  isArmed ||= (message as { request: IncomingMessage }).request.method === method
})

function crash(): never {
  process.kill(process.pid, 'SIGKILL')
  for (;;); // nothing may run after this
}

/** Connections that have sent the statement: the next commit on them is its own. */
const senders = new WeakSet<pg.Client>()

type Matcher = (sent: Sent, client: pg.Client) => boolean
const isStatement: Matcher = ({ name }) => name === statement
const isBegin: Matcher = ({ text }) => /^begin\b/i.test(text)
const isCommit: Matcher = ({ text }) => /^commit\b/i.test(text)
const isOwnCommit: Matcher = (sent, client) => isCommit(sent, client) && senders.has(client)
type Points = Partial<Record<AnyFailpoint, Matcher>>
const BEFORE: Points = {
  'before it is sent': isStatement,
  'replay: before commit': isCommit,
  'before commit': isOwnCommit,
}
const ONCE_SENT: Points = { 'it is sent': isStatement }
const ONCE_ANSWERED: Points = {
  'it is answered': isStatement,
  'replay: after begin': isBegin,
  'replay: after commit': isCommit,
  'after commit': isOwnCommit,
}

const { query } = pg.Client.prototype as { query: (this: void, ...args: unknown[]) => unknown }
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...args: unknown[]) {
    const sent = (typeof args[0] === 'string' ? { text: args[0] } : args[0]) as Sent
    if (!isArmed) return Reflect.apply(query, this, args) as unknown
    if (BEFORE[point]?.(sent, this)) crash()
    const result: unknown = Reflect.apply(query, this, args)
    // The driver hands its bytes to the system in the next tick, before this one: they are delivered also when the process is
    // gone. A turn of the event loop later the response might have arrived.
    if (ONCE_SENT[point]?.(sent, this)) process.nextTick(crash)
    if (ONCE_ANSWERED[point]?.(sent, this)) return (result as Promise<unknown>).then(crash)
    if (isStatement(sent, this)) senders.add(this)
    return result
  },
})

const { end } = ServerResponse.prototype as { end: (this: void, ...args: unknown[]) => unknown }
Object.assign(ServerResponse.prototype, {
  end(this: ServerResponse, ...args: unknown[]) {
    const isOfWrite = this.req.method === method && this.statusCode < 300
    if (point === 'after the answer' && isOfWrite) this.once('finish', crash)
    return Reflect.apply(end, this, args) as unknown
  },
})
