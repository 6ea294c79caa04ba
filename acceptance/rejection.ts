import type { Clause } from './clause.ts'
import { expectError } from './expect.ts'
import type { Request } from './wire.ts'

/** A clause that a request is rejected. The published interface leaves codes open: a code here is our decision. */
export function rejection(id: string, sentence: string, request: Request, status: number, code?: string): Clause {
  return {
    id,
    profile: code === undefined ? 'spec' : 'full',
    sentence,
    run: async ({ call }) => expectError(await call(request), status, code),
  }
}
