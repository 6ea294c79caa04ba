import { Violation } from './answer.ts'
import type { Clause, Context, Profile } from './clause.ts'
import { CONTRACT } from './contract.ts'
import { keepHerd } from './herd.ts'
import { type Keys, redact } from './placeholders.ts'
import { RawConnection } from './raw.ts'
import { Wire } from './wire.ts'

const AT_ONCE = 16

export interface Failure {
  request: string
  expected: string
  answer: string
  curl: string
}

export interface Outcome {
  clause: Clause
  ms: number
  failure?: Failure
}

/** The clauses of a run, in the order of the contract. */
export function clausesOf(profile: Profile, { readKey }: Pick<Keys, 'readKey'>) {
  return CONTRACT.filter(
    (clause) => (profile === 'full' || clause.profile === 'spec') && (readKey !== undefined || !clause.needsReadKey),
  )
}

/** Tries every clause on the service at this address, several at a time; none depends on another. */
export async function verify(base: URL, keys: Keys, clauses: Clause[], onOutcome: (outcome: Outcome) => void) {
  // A clause that fails leaves its connection open; none outlives the run.
  using opened = new DisposableStack()
  const wire = opened.use(new Wire(base, keys))
  const connect = async () => opened.use(await RawConnection.open(base, keys))
  const context: Context = {
    basePath: base.pathname.replace(/\/$/, ''),
    call: (request) => wire.call(request),
    connect,
    exchange: async (bytes, { end = false } = {}) => {
      const connection = (await connect()).send(bytes)
      return (end ? connection.end() : connection).untilClosed()
    },
    ...keepHerd(wire),
  }
  const outcomes = new Map<Clause, Outcome>()
  const queue = clauses.values()
  const worker = async () => {
    for (const clause of queue) {
      const outcome = await tryClause(clause, context, keys)
      outcomes.set(clause, outcome)
      onOutcome(outcome)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return clauses.flatMap((clause) => outcomes.get(clause) ?? [])
}

/** Throws when nothing that speaks HTTP answers at the address; whatever it says is for the clauses to judge. */
export async function reach(base: URL, keys: Keys) {
  using wire = new Wire(base, keys)
  await wire.call({ path: '/pets', authorization: null })
}

async function tryClause(clause: Clause, context: Context, keys: Keys): Promise<Outcome> {
  const started = performance.now()
  try {
    await clause.run(context)
    return { clause, ms: performance.now() - started }
  } catch (error) {
    if (!(error instanceof Violation)) throw error
    const { request, expected, answer } = error
    const failure = { request: request.shown, expected, answer, curl: request.curl }
    for (const name of ['request', 'expected', 'answer', 'curl'] as const) failure[name] = redact(failure[name], keys)
    return { clause, ms: performance.now() - started, failure }
  }
}
