import type { Clause } from './clause.ts'
import { expectError } from './expect.ts'
import type { Request } from './wire.ts'

/** A clause that a request is refused. The published interface leaves codes open: where one is named, it is our decision. */
export function refusal(id: string, sentence: string, request: Request, status: number, code?: string): Clause {
  return {
    id,
    profile: code === undefined ? 'spec' : 'full',
    sentence,
    run: async ({ call }) => expectError(await call(request), status, code),
  }
}
