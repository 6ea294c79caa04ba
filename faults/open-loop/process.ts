import { connect, type Socket } from 'node:net'
import type { Columns, OpenLoopOptions } from './run.ts'

interface Request {
  kind: number
  /** On the clock of performance.now(): when it was to be sent. */
  due: number
  late: number
  bytes: string
}

// As many as clients of a busy service have; a request that finds none free waits, and that time counts.
const MAX_CONNECTIONS = 3_000
const SWEEP_MS = 50

process.once('message', (options: Required<OpenLoopOptions>) => {
  void generate(options).then((columns) => process.send?.(columns))
})

async function generate({
  origin,
  kinds,
  perSecond,
  seconds,
  from,
  patienceMs,
}: Required<OpenLoopOptions>): Promise<Columns> {
  const { hostname: host, port } = new URL(origin)
  const total = Math.round(perSecond * seconds)
  const columns: Columns = {
    kind: new Float64Array(total),
    at: new Float64Array(total),
    ms: new Float64Array(total),
    status: new Float64Array(total),
    late: new Float64Array(total),
  }
  const begun = performance.now()
  const { promise: finished, resolve: finish } = Promise.withResolvers<void>()
  const idle: Socket[] = []
  const waiting: Request[] = []
  const underWay = new Map<Socket, Request>()
  let [done, opened, made] = [0, 0, 0]

  const note = ({ kind, due, late }: Request, status: number) => {
    columns.kind[done] = kind
    columns.at[done] = due - begun
    columns.ms[done] = performance.now() - due
    columns.status[done] = status
    columns.late[done] = late
    if (++done === total) finish()
  }

  const send = (request: Request) => {
    const socket = idle.pop() ?? (opened < MAX_CONNECTIONS ? open() : undefined)
    if (!socket) waiting.push(request)
    else {
      underWay.set(socket, request)
      socket.write(request.bytes, 'latin1')
    }
  }

  const sendWaiting = () => {
    const request = waiting.shift()
    if (request) send(request)
  }

  const open = () => {
    opened++
    let received = ''
    const localAddress = from[made++ % from.length]
    const socket = connect({ host, port: Number(port), noDelay: true, ...(localAddress && { localAddress }) })
    socket.setEncoding('latin1')
    socket.on('error', () => {}) // its close follows
    socket.on('data', (text: string) => {
      received += text
      const response = responseIn(received)
      if (!response) return
      received = ''
      const request = underWay.get(socket)
      underWay.delete(socket)
      if (request) note(request, response.status)
      if (response.isLast) socket.destroy()
      else {
        idle.push(socket)
        sendWaiting()
      }
    })
    socket.on('close', () => {
      opened--
      const request = underWay.get(socket)
      underWay.delete(socket)
      if (request) note(request, 0)
      const place = idle.indexOf(socket)
      if (place >= 0) idle.splice(place, 1)
      sendWaiting()
    })
    return socket
  }

  let number = 0
  const pace = setInterval(() => {
    const now = performance.now()
    for (; number < total; number++) {
      const due = begun + (number / perSecond) * 1_000
      if (due > now) return
      const kind = number % kinds.length
      const bytes = (kinds[kind]?.bytes ?? '').replace('#########', String(number).padStart(9, '0'))
      send({ kind, due, late: performance.now() - due, bytes })
    }
    clearInterval(pace)
  }, 1)
  const sweep = setInterval(() => {
    const before = performance.now() - patienceMs
    for (const [socket, { due }] of underWay) if (due < before) socket.destroy()
    while (waiting[0] && waiting[0].due < before) note(waiting.shift() as Request, 0)
  }, SWEEP_MS)

  await finished
  clearInterval(sweep)
  for (const socket of idle) socket.destroy()
  return columns
}

/** The response, once it is complete. One request is in progress on a connection, so nothing follows. */
function responseIn(received: string) {
  const end = received.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const head = received.slice(0, end)
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0)
  if (received.length < end + 4 + length) return undefined
  return { status: Number(head.slice(9, 12)), isLast: /\r\nconnection: close/i.test(head) }
}
