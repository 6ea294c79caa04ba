import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { clausesOf } from '../../acceptance/run.ts'
import { type Fault, startOtherStore } from '../support/other-store.ts'
import { petstore } from '../support/process.ts'

const KEY = 'key-of-another-store'
const folder = mkdtempSync(join(tmpdir(), 'petstore-foreign-'))
after(() => rmSync(folder, { recursive: true }))
const [html, junit] = [join(folder, 'report.html'), join(folder, 'report.xml')]

interface Tally {
  total: number
  passed: number
  failed: number
  notTried: number
}
interface Result extends Tally {
  interface: Tally
  beyond: Tally
  causes: { expected: string; seen: string; clauses: string[] }[]
  crashes: { back: boolean; inFlight: string[]; culprit?: { clause: string; requests: string[] } }[]
  clauses: { id: string; passed: boolean; notTried?: string }[]
}

type FaultIn = (request: IncomingMessage, body: string) => Fault | undefined

async function verify(faultIn: FaultIn | undefined, ...args: string[]) {
  const store = await startOtherStore(KEY, faultIn)
  return petstore(['verify', '--base-url', `${store}/v1`, ...args], { PETSTORE_KEY: KEY })
}

async function verifyToJson(faultIn: FaultIn | undefined, ...args: string[]) {
  const { code, stdout } = await verify(faultIn, ...args, '--json')
  return { code, ...(JSON.parse(stdout) as Result) }
}

/** The bodies that one clause alone sends: `create.name.other-scripts`. */
const onPolly =
  (fault: Fault): FaultIn =>
  (_, body) =>
    body.includes('Полли') ? fault : undefined
const POLLY = 'create.name.other-scripts'
const POLLY_IN_PRINTF = String.raw`\320\237\320\276\320\273\320\273\320\270`

// Each has a store of its own, and most of them wait for it. Of more at once in one process, some requests would get their responses too late.
describe('another store', { concurrency: 2 }, () => {
  test('an implementation of the interface alone reads that it passes, and what else there is afterwards', async () => {
    const { code, stdout } = await verify(undefined)
    const spec = clausesOf('spec', {}).length
    const beyond = clausesOf('full', {}).length - spec
    const [, passed, total] = new RegExp(
      `\n\nInterface: ${spec} of ${spec} clauses pass\\. Beyond it: (\\d+) of (\\d+) clauses pass\\.\n$`,
    ).exec(stdout)!
    assert.equal(Number(total), beyond)
    assert.ok(Number(passed) < beyond)
    assert.match(stdout, /open to every implementation; --profile spec leaves it out/)
    assert.match(
      stdout,
      /… and \d+ more causes beyond the interface \(\d+ clauses\): --html or --json shows all of them/,
    )
    assert.ok(stdout.split('\n').length < 250, 'no flood of failures')
    assert.equal(code, 1, 'the profile full asks for every clause')
  })

  test('the profile decides: of spec alone, the exit code is 0', async () => {
    const { code, stdout } = await verify(undefined, '--profile', 'spec')
    assert.match(stdout, /\n\nInterface: (\d+) of \1 clauses pass\.\n$/)
    assert.equal(code, 0)
  })

  test('one fault is one cause, whatever the number of clauses that it fails', async () => {
    const faultIn: FaultIn = ({ method, headers }, body) =>
      method === 'POST' && headers.authorization === `Bearer ${KEY}` && body.includes('"status":"sold"')
        ? 'respond 500'
        : undefined
    const { code, failed, causes } = await verifyToJson(faultIn, '--profile', 'spec')
    assert.equal(code, 1)
    assert.ok(failed >= 18, `${failed} clauses`)
    assert.deepEqual(
      causes.map(({ expected, seen, clauses }) => [expected, seen, clauses.length]),
      [['the status 201', '500 Internal Server Error with the code 500', failed]],
    )
    const { stdout } = await verify(faultIn, '--profile', 'spec')
    assert.equal(stdout.match(/^✗/gm)!.length, 1)
    assert.match(
      stdout,
      new RegExp(`^✗ ${failed} clauses expected the status 201 and got 500 Internal Server Error`, 'm'),
    )
  })

  test('--only tries a group, or what a part of an id or a sentence names', async () => {
    const all = clausesOf('full', {}).map(({ id }) => id)
    const group = await verifyToJson(undefined, '--only', 'get')
    assert.deepEqual(
      group.clauses.map(({ id }) => id),
      all.filter((id) => id.startsWith('get.')),
    )
    const parts = await verifyToJson(undefined, '--profile', 'spec', '--only', 'List.limit', '--only', POLLY)
    assert.deepEqual(
      parts.clauses.map(({ id }) => id),
      clausesOf('spec', {})
        .map(({ id }) => id)
        .filter((id) => id.includes('list.limit') || id === POLLY),
    )
    assert.deepEqual([parts.code, parts.beyond.total], [0, 0])
    const sentence = await verifyToJson(undefined, '--only', 'a hundred.')
    assert.ok(sentence.clauses.some(({ id }) => id === 'list.limit.maximum'))
  })

  test('--bail stops at the first failure, and the rest is not tried', async () => {
    const { code, passed, failed, notTried, total, clauses } = await verifyToJson(undefined, '--bail')
    assert.deepEqual([code, failed], [1, 1])
    assert.ok(notTried > 100)
    assert.equal(passed + failed + notTried, total)
    for (const { notTried: reason } of clauses.filter((clause) => clause.notTried !== undefined))
      assert.equal(reason, 'stopped at the first failure')
  })

  test('a crash is no failure of the clauses around it: they are not tried, and what was in flight is listed', async () => {
    const args = ['--profile', 'spec', '--html', html, '--junit', junit]
    const { code, failed, notTried, passed, total, crashes, clauses } = await verifyToJson(onPolly('crash'), ...args)
    assert.deepEqual([code, failed, crashes.length], [1, 0, 1])
    assert.ok(notTried > 20)
    assert.equal(passed + notTried, total)
    const [{ back, inFlight, culprit }] = crashes as [Result['crashes'][0]]
    assert.deepEqual([back, culprit], [false, undefined])
    assert.ok(inFlight.length <= 32)
    assert.equal(inFlight.filter((curl) => curl.includes(POLLY_IN_PRINTF)).length, 1)
    const untried = clauses.filter((clause) => clause.notTried !== undefined)
    assert.ok(untried.some(({ id }) => id === POLLY))
    for (const { notTried: reason } of untried) assert.equal(reason, 'the server stopped and did not come back')

    const [page, xml] = [readFileSync(html, 'utf8'), readFileSync(junit, 'utf8')]
    assert.match(page, /The server stopped.*in flight.*send them one at a time.*class="untried"/s)
    assert.equal(xml.match(/<skipped message="the server stopped/g)!.length, notTried)
    assert.match(xml, new RegExp(`tests="${total}" failures="0" skipped="${notTried}"`))
    assert.match(
      xml,
      /<error message="the server stopped">The server stopped while these requests.*<system-out>Interface: /s,
    )
  })

  test('when the server comes back, the request that stops it is found by sending each alone, and the rest is tried', async () => {
    const { code, failed, notTried, crashes, causes } = await verifyToJson(
      onPolly('crash and come back'),
      '--profile',
      'spec',
    )
    assert.deepEqual(causes, [{ expected: 'a response', seen: 'the server stopped', clauses: [POLLY] }])
    assert.deepEqual([code, failed, notTried], [1, 1, 0])
    const [{ back, culprit }] = crashes as [Result['crashes'][0]]
    assert.equal(back, true)
    assert.equal(culprit?.clause, POLLY)
    assert.equal(culprit.requests.length, 1)
    assert.ok(culprit.requests[0]!.includes(POLLY_IN_PRINTF))

    const { stdout } = await verify(onPolly('crash and come back'), '--profile', 'spec')
    assert.match(
      stdout,
      /in flight, the latest first:\n( {4}.*curl .*\n)+ {2}This stops it when sent alone \(create\.name\.other-scripts\):\n {4}.*curl /,
    )
  })

  test('a connection that is dropped is the failure of the clause that loses it also when it is alone', async () => {
    const { failed, notTried, crashes, causes } = await verifyToJson(
      onPolly('drop the connection'),
      '--profile',
      'spec',
    )
    assert.deepEqual([failed, notTried, crashes], [1, 0, []])
    assert.deepEqual(causes, [{ expected: 'a response', seen: 'the connection closed without one', clauses: [POLLY] }])
  })

  test('a connection that is dropped once, for no reason that can be found, is still a failure', async () => {
    // Twice: what is lost on a connection that was kept is sent again, since a server may close one that is idle.
    let left = 2
    const twice: FaultIn = (_, body) => (body.includes('Полли') && left-- > 0 ? 'drop the connection' : undefined)
    const { code, failed } = await verifyToJson(twice, '--profile', 'spec')
    assert.deepEqual([code, failed], [1, 1])
  })
})
