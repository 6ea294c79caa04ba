import { connect } from 'node:net'
import { malformedRequests } from '../../acceptance/clauses/malformed.ts'
import { parseResponses } from '../../acceptance/parse-responses.ts'
import { fillIn, KEY } from '../../acceptance/placeholders.ts'
import type { Fault, Outcome, Stage } from '../fault.ts'
import { headOf } from '../open-loop/run.ts'
import { SERVICE_URL } from '../rig/balancer.ts'
import { openStore, startBalancer, startServices } from '../store.ts'
import { countStored } from '../stored.ts'

const PATIENCE_MS = 15_000
/** So long after a response, another one would have arrived. */
const QUIET_MS = 1_500

/** The responses to one line of the corpus. */
interface Result {
  what: string
  answers: ReturnType<typeof parseResponses>
}

export const malformed: Fault = {
  name: 'malformed',
  injected: 'malformed requests, and requests hidden in others, to the service and through the balancer',
  invariant: 'one response each, from the service the Error body; nothing smuggled; no crash',
  quick: true,
  run: sendMalformed,
}

async function sendMalformed(stage: Stage): Promise<Outcome> {
  await using resources = new AsyncDisposableStack()
  stage.say('starting PostgreSQL, a process of the service and the balancer …')
  const { databaseUrl, key } = await openStore(stage, resources)
  const [service] = await startServices(stage, resources, databaseUrl)
  if (!service) throw new Error('No process was started.')
  await startBalancer(stage, resources)
  const label = `smuggled ${Date.now()}`
  const broken: string[] = []
  const figures: Record<string, unknown> = {}

  const ways = { direct: `http://${service.address}:8080`, balanced: SERVICE_URL }
  for (const [way, origin] of Object.entries(ways)) {
    const isDirect = way === 'direct'
    // HAProxy responds in HTTP/2 to a client that begins with it.
    const whole = [...malformedRequests('/v1/pets'), ...hidingRequests(label)]
    const corpus = isDirect ? whole : whole.filter(([, bytes]) => !bytes.startsWith('PRI '))
    stage.say(`${way}: ${corpus.length} requests …`)
    const results = await Promise.all(
      corpus.map(async ([what, bytes]) => ({ what, answers: await exchange(origin, fillIn(bytes, { key })) })),
    )
    broken.push(...results.flatMap((result) => faultsOf(result, isDirect)).map((sentence) => `${way}: ${sentence}`))
    const accepted = results.filter(({ answers }) => answers.some(({ status }) => status < 300))
    // HAProxy repairs some of these before the service sees them. Without it, none may pass.
    if (isDirect) broken.push(...accepted.map(({ what }) => `direct: accepted: ${what}`))
    const ownPages = results.filter(({ answers }) => answers.some(isPageOfBalancer)).length
    figures[way] = { sent: results.length, accepted: accepted.map(({ what }) => what), ownPages }
  }

  const { stored } = await countStored(databaseUrl, label)
  await service.ready() // or it has crashed
  return {
    times: 2,
    acked: 0,
    lost: 0,
    twice: 0,
    failed: 0,
    smuggled: stored,
    ...figures,
    broken: [...broken, ...(stored === 0 ? [] : [`${stored} hidden requests were executed`])],
  }
}

/** Each must count as one request: what the body or its framing hides must get no response and not be executed. */
function hidingRequests(label: string): [what: string, bytes: string][] {
  const body = JSON.stringify({ name: `${label} pet`, categoryId: 1 })
  const json = ['Content-Type: application/json', `Content-Length: ${body.length}`]
  const hidden = `${headOf('POST', '/v1/pets', KEY, json)}${body}`
  // The key in its place is longer than its name here: a length that is too large only makes the server wait for more.
  const within = (...headers: string[]) => headOf('POST', '/v1/pets', undefined, headers)
  const withKey = (...headers: string[]) => headOf('POST', '/v1/pets', KEY, headers)
  return [
    ['a request in a body without a key', `${within('Content-Length: 60000')}${hidden}`],
    ['a request in a body of another type', `${withKey('Content-Type: text/plain', 'Content-Length: 60000')}${hidden}`],
    ['a request in a body that is too long', `${withKey('Content-Length: 65537')}${hidden}`],
    [
      'a length, and chunks that end at once',
      `${withKey('Content-Length: 60000', 'Transfer-Encoding: chunked')}0\r\n\r\n${hidden}`,
    ],
    ['chunks, spelled with a tab', `${withKey('Content-Length: 3', 'Transfer-Encoding:\tchunked')}0\r\n\r\n${hidden}`],
    [
      'chunks, after a line feed alone',
      `${withKey('Content-Length: 3', 'X: y\nTransfer-Encoding: chunked')}0\r\n\r\n${hidden}`,
    ],
    ['chunked, named twice', `${withKey('Transfer-Encoding: chunked', 'Transfer-Encoding: x')}0\r\n\r\n${hidden}`],
    ['a length with a plus', `${withKey('Content-Length: +0')}${hidden}`],
    ['a space after the name of the length', `${withKey('Content-Length : 0')}${hidden}`],
    ['a chunk size that overflows', `${withKey('Transfer-Encoding: chunked')}fffffffffffffffff0\r\n${hidden}`],
    [
      'a chunk with a line feed in its extension',
      `${withKey('Transfer-Encoding: chunked')}2;\nx\r\n{}\r\n0\r\n\r\n${hidden}`,
    ],
  ]
}

/** What the server sends until it closes, or has been silent after a response. */
async function exchange(origin: string, bytes: string) {
  const { hostname: host, port } = new URL(origin)
  const socket = connect({ host, port: Number(port), allowHalfOpen: true }).setEncoding('latin1')
  let received = ''
  let timer = setTimeout(() => socket.destroy(), PATIENCE_MS)
  socket.on('error', () => {}) // a reset is a way to be closed
  socket.on('end', () => socket.end())
  socket.on('data', (text: unknown) => {
    received += String(text)
    clearTimeout(timer)
    timer = setTimeout(() => socket.destroy(), QUIET_MS)
  })
  socket.write(bytes, 'latin1')
  await new Promise((resolve) => socket.once('close', resolve))
  clearTimeout(timer)
  return parseResponses(received).filter(({ status }) => status !== 100)
}

/**
 * HAProxy 2.6 rejects bytes that it can't read as a request with its own page: it does not use `errorfile` there.
 * A client that sends these has no HTTP library that would read the Error body.
 */
function isPageOfBalancer({ status, text }: Result['answers'][number]) {
  return [400, 422].includes(status) && text.startsWith(`<html><body><h1>${status}`)
}

function faultsOf({ what, answers }: Result, isDirect: boolean) {
  const [first] = answers
  if (!first || answers.length > 1) return [`${answers.length} responses to: ${what}`]
  if (first.status < 300 || (!isDirect && isPageOfBalancer(first))) return []
  try {
    const { code, message, status } = JSON.parse(first.text) as Record<string, unknown>
    if (status === first.status && typeof code === 'string' && typeof message === 'string') return []
  } catch {
    // Reported below.
  }
  return [`${first.status} without the Error body to: ${what}`]
}
