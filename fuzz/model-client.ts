import { readJson } from './oracle/json.ts'
import { asPet, type Pet } from './oracle/new-pet.ts'
import { createdId, type Sending, type Session, sendOne } from './properties.ts'
import { fill, type Request } from './request.ts'
import type { HttpResponse } from './response.ts'
import { nextPage } from './verdict.ts'

/** A response in a story was not the one that the contract demands. */
export class Broken extends Error {}

/** Sends one request after the other, and compares each response with a plain list of the pets that must exist. */
export class ModelClient {
  readonly sent: Sending[] = []
  readonly #session: Session
  #pets: Pet[] = []
  readonly #keyed: { key: string; body: string }[] = []
  #cursor = ''

  constructor(session: Session) {
    this.#session = session
  }

  /** Takes a cursor after which this story takes place: a cursor holds a position and nothing else. */
  async begin() {
    const first = await this.create('{"name":"first","categoryId":1}')
    const second = await this.create('{"name":"second","categoryId":2}')
    if (!first || !second) throw new Broken('two plain pets were not created')
    const response = await this.#ask(`/v1/pets?id=${first.id},${second.id}&limit=1`)
    const next = nextPage(response)
    if (next === undefined) throw new Broken('a page of one of two pets has no next link')
    this.#cursor = new URLSearchParams(next).get('cursor') ?? ''
    this.#pets = [second]
  }

  /** Adds the pets that others have created since. */
  adopt(ids: bigint[]) {
    const { store } = this.#session
    this.#pets.push(...ids.toSorted((a, b) => Number(a - b)).flatMap((id) => store.get(id) ?? []))
  }

  async create(body: string, headers: Request['headers'] = []) {
    const request = plain('POST', '/v1/pets')
    const response = await this.#send({ ...request, headers: [...request.headers, ...headers], body })
    // The response with a pet that existed before has been checked already.
    if (response.headers.has('idempotent-replayed')) return undefined
    const id = createdId(response)
    const pet = id === undefined ? undefined : this.#session.store.get(id)
    if (!pet) return undefined
    const last = this.#pets.at(-1)
    if (last && pet.id <= last.id) throw new Broken(`the id ${pet.id} is not greater than the one before it`)
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
    if (status !== 200) throw new Broken(`GET of the pet ${id} returned ${status}`)
  }

  async listByIds(picks: number[], limit: number) {
    const ids = [...new Set(picks.map((pick) => this.#pick(pick).id))]
    const response = await this.#ask(`/v1/pets?limit=${limit}&id=${ids.join(',')}`)
    const due = ids.toSorted((a, b) => Number(a - b))
    compare(response, due.slice(0, limit), due.length > limit)
  }

  /** The first page, or all of them along their links. */
  async list(limit: number, status: string | null, toTheEnd: boolean) {
    const due = this.#pets.filter((pet) => status === null || pet.status === status).map(({ id }) => id)
    let query = `limit=${limit}${status === null ? '' : `&status=${status}`}&cursor=${this.#cursor}`
    for (let at = 0; ; at += limit) {
      const response = await this.#ask(`/v1/pets?${query}`)
      const more = due.length > at + limit
      compare(response, due.slice(at, at + limit), more)
      if (!more || !toTheEnd) return
      query = nextPage(response) ?? ''
    }
  }

  #pick(index: number) {
    const pet = this.#pets[index % this.#pets.length]
    if (!pet) throw new Broken('no pet exists to ask for')
    return pet
  }

  async #ask(target: string) {
    return this.#send(plain('GET', target))
  }

  async #send(template: Request) {
    const request = fill(template, this.#session.store)
    this.sent.push({ requests: [request] })
    const { response, fault } = await sendOne(this.#session, request)
    if (fault !== undefined || !response) throw new Broken(fault ?? 'no response arrived')
    return response
  }
}

/** Whether each pet is complete has been checked with the response; this compares which ones it contains. */
function compare(response: HttpResponse, due: bigint[], more: boolean) {
  const value = readJson(response.body)
  const shown = Array.isArray(value) ? value.map((item) => asPet(item)?.id) : []
  const stranger = shown.find((id) => id !== undefined && !due.includes(id))
  if (stranger !== undefined)
    throw new Broken(`the list contains ${stranger}, which no response has confirmed or which does not match`)
  const missing = due.find((id) => !shown.includes(id))
  if (missing !== undefined) throw new Broken(`the list lacks ${missing}`)
  if (more !== (nextPage(response) !== undefined))
    throw new Broken(
      more ? 'more pets follow, but the page has no next link' : 'the page has a next link, but no pet follows',
    )
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
