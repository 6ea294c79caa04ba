import type { Answer } from './answer.ts'
import { readJson } from './oracle/json.ts'
import { asPet, type Pet } from './oracle/new-pet.ts'
import { createdId, type Sending, type Session, sendOne } from './properties.ts'
import { fill, type Request } from './request.ts'
import { nextPage } from './verdict.ts'

/** A story went another way than the contract tells it. */
export class Broken extends Error {}

/** Asks one thing after the other, and compares each answer with a plain list of the pets that must be there. */
export class Teller {
  readonly sent: Sending[] = []
  readonly #session: Session
  #pets: Pet[] = []
  readonly #keyed: { key: string; body: string }[] = []
  #cursor = ''

  constructor(session: Session) {
    this.#session = session
  }

  /** Marks the place behind which this story takes place: a cursor holds a position and nothing else. */
  async begin() {
    const first = await this.create('{"name":"first","categoryId":1}')
    const second = await this.create('{"name":"second","categoryId":2}')
    if (!first || !second) throw new Broken('two plain pets were not created')
    const answer = await this.#ask(`/v1/pets?id=${first.id},${second.id}&limit=1`)
    const next = nextPage(answer)
    if (next === undefined) throw new Broken('one of two pets was listed, without a link to the other')
    this.#cursor = new URLSearchParams(next).get('cursor') ?? ''
    this.#pets = [second]
  }

  /** Takes over what others were told to have created since. */
  adopt(ids: bigint[]) {
    const { store } = this.#session
    this.#pets.push(...ids.toSorted((a, b) => Number(a - b)).flatMap((id) => store.get(id) ?? []))
  }

  async create(body: string, headers: Request['headers'] = []) {
    const request = plain('POST', '/v1/pets')
    const answer = await this.#send({ ...request, headers: [...request.headers, ...headers], body })
    // Of a pet that was there before, the answer has been checked already.
    if (answer.headers.has('idempotent-replayed')) return undefined
    const id = createdId(answer)
    const pet = id === undefined ? undefined : this.#session.store.get(id)
    if (!pet) return undefined
    const last = this.#pets.at(-1)
    if (last && pet.id <= last.id) throw new Broken(`the id ${pet.id} is not beyond the one before it`)
    this.#pets.push(pet)
    return pet
  }

  async createOnce(body: string) {
    const key = this.#session.store.unique()
    await this.create(body, [['Idempotency-Key', key]])
    this.#keyed.push({ key, body })
  }

  async again(pick: number, otherBody: string | null) {
    const keyed = this.#keyed[pick % this.#keyed.length]
    if (keyed) await this.create(otherBody ?? keyed.body, [['Idempotency-Key', keyed.key]])
  }

  async get(pick: number) {
    const { id } = this.#pick(pick)
    const { status } = await this.#ask(`/v1/pets/${id}`)
    if (status !== 200) throw new Broken(`the pet ${id} was answered with ${status}`)
  }

  async listByIds(picks: number[], limit: number) {
    const ids = [...new Set(picks.map((pick) => this.#pick(pick).id))]
    const answer = await this.#ask(`/v1/pets?limit=${limit}&id=${ids.join(',')}`)
    const due = ids.toSorted((a, b) => Number(a - b))
    compare(answer, due.slice(0, limit), due.length > limit)
  }

  /** The first page, or all of them along their links. */
  async list(limit: number, status: string | null, toTheEnd: boolean) {
    const due = this.#pets.filter((pet) => status === null || pet.status === status).map(({ id }) => id)
    let query = `limit=${limit}${status === null ? '' : `&status=${status}`}&cursor=${this.#cursor}`
    for (let at = 0; ; at += limit) {
      const answer = await this.#ask(`/v1/pets?${query}`)
      const more = due.length > at + limit
      compare(answer, due.slice(at, at + limit), more)
      if (!more || !toTheEnd) return
      query = nextPage(answer) ?? ''
    }
  }

  #pick(index: number) {
    const pet = this.#pets[index % this.#pets.length]
    if (!pet) throw new Broken('there is no pet to ask for')
    return pet
  }

  async #ask(target: string) {
    return this.#send(plain('GET', target))
  }

  async #send(template: Request) {
    const request = fill(template, this.#session.store)
    this.sent.push({ requests: [request] })
    const { answer, fault } = await sendOne(this.#session, request)
    if (fault !== undefined || !answer) throw new Broken(fault ?? 'there was no answer')
    return answer
  }
}

/** Whether each pet is whole has been checked with the answer; this is about which ones are there. */
function compare(answer: Answer, due: bigint[], more: boolean) {
  const value = readJson(answer.body)
  const shown = Array.isArray(value) ? value.map((item) => asPet(item)?.id) : []
  const stranger = shown.find((id) => id !== undefined && !due.includes(id))
  if (stranger !== undefined)
    throw new Broken(
      `the list shows ${stranger}, which nobody was told to have created, or which does not belong there`,
    )
  const missing = due.find((id) => !shown.includes(id))
  if (missing !== undefined) throw new Broken(`the list leaves out ${missing}`)
  if (more !== (nextPage(answer) !== undefined))
    throw new Broken(more ? 'more follow, but no link says so' : 'a link to a next page, but nothing follows')
}

function plain(method: string, target: string): Request {
  return {
    method,
    target,
    version: '1.1',
    headers: [
      ['Host', 'x'],
      ['Authorization', 'Bearer {{key}}'],
    ],
  }
}
