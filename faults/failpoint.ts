import { subscribe } from 'node:diagnostics_channel'
import { type IncomingMessage, ServerResponse } from 'node:http'
import pg from 'pg'
import type { Failpoint } from './failpoints.ts'

// Given to a service by `node --import`: ends its process at one point of the way of a keyed create, as a crash would, and
// so without notifying anything. The service itself knows nothing of it.

interface Sent {
  name?: string
  text: string
}

const point = process.env['FAILPOINT'] as Failpoint

// What the process does of its own accord, such as pruning keys, has transactions too.
let isArmed = false
subscribe('http.server.request.start', (message) => {
  isArmed ||= (message as { request: IncomingMessage }).request.method === 'POST'
})

function crash(): never {
  process.kill(process.pid, 'SIGKILL')
  for (;;); // nothing may run after this
}

const isStore = ({ name }: Sent) => name === 'keyedPets.store'
const isBegin = ({ text }: Sent) => /^begin\b/i.test(text)
const isCommit = ({ text }: Sent) => /^commit\b/i.test(text)
type Points = Partial<Record<Failpoint, (sent: Sent) => boolean>>
const BEFORE: Points = { 'before it is sent': isStore, 'replay: before commit': isCommit }
const ONCE_SENT: Points = { 'it is sent': isStore }
const ONCE_ANSWERED: Points = {
  'it is answered': isStore,
  'replay: after begin': isBegin,
  'replay: after commit': isCommit,
}

const { query } = pg.Client.prototype as { query: (this: void, ...args: unknown[]) => unknown }
Object.assign(pg.Client.prototype, {
  query(this: pg.Client, ...args: unknown[]) {
    const sent = (typeof args[0] === 'string' ? { text: args[0] } : args[0]) as Sent
    if (!isArmed) return Reflect.apply(query, this, args) as unknown
    if (BEFORE[point]?.(sent)) crash()
    const result: unknown = Reflect.apply(query, this, args)
    // The driver hands its bytes to the system in the next tick, before this one: they are delivered also when the process is
    // gone. A turn of the event loop later the response might have arrived.
    if (ONCE_SENT[point]?.(sent)) process.nextTick(crash)
    if (ONCE_ANSWERED[point]?.(sent)) return (result as Promise<unknown>).then(crash)
    return result
  },
})

const { end } = ServerResponse.prototype as { end: (this: void, ...args: unknown[]) => unknown }
Object.assign(ServerResponse.prototype, {
  end(this: ServerResponse, ...args: unknown[]) {
    if (point === 'after the answer' && this.statusCode === 201) this.once('finish', crash)
    return Reflect.apply(end, this, args) as unknown
  },
})
