import type { Pet } from './expect.ts'
import type { OtherKey } from './placeholders.ts'
import type { RawConnection } from './raw.ts'
import type { Response } from './response.ts'
import type { Request } from './wire.ts'

/**
 * `spec`: the interface as it was published. `full`: that, and everything this service decided beyond it about the same
 * operations. `store`: that, and the operations which the interface does not show: changing, deleting, finding, ordering.
 */
export type Profile = 'spec' | 'full' | 'store'

/**
 * `webhooks`: the service can create webhooks. `local receivers`: it also sends them to its own machine, which is this one.
 * `public receivers`: it does not send them to its own machine.
 */
export type Setting = 'webhooks' | 'local receivers' | 'public receivers'

/** One sentence of the contract, and how to find out whether a service keeps it. */
export interface Clause {
  /** Stable, like `list.limit.maximum`. The first word is the group that it is reported in. */
  id: string
  profile: Profile
  sentence: string
  /** Only part of a run that was given this key too. */
  needs?: OtherKey
  /** Only part of a run on a service that is set up so. */
  setting?: Setting
  /** Returns when the clause holds; throws a `Violation` when it does not. */
  run: (context: Context) => Promise<void>
}

/** What a clause may do to the service. It never sees a key: the wire puts it in. */
export interface Context {
  /** The path that all operations are below, like `/v1`. */
  basePath: string
  call: (request: Request) => Promise<Response>
  /** Sends exactly these bytes and returns every response until the service closed the connection. */
  exchange: (bytes: string, options?: { end?: boolean }) => Promise<Response[]>
  connect: () => Promise<RawConnection>
  /** Adds the pet that this JSON text describes. */
  add: (newPet: string) => Promise<Pet>
  /** A pet that exists. */
  pet: () => Promise<Pet>
  /** More than a hundred pets that exist: as many of each status as without one. */
  herd: () => Promise<Pet[]>
}

export function groupOf({ id }: Pick<Clause, 'id'>) {
  return id.slice(0, id.indexOf('.'))
}
