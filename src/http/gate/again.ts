import type { FastifyRequest } from 'fastify'
import { authenticate, requireScope } from '../../domain/keys.ts'
import type { Scope } from '../../domain/principal.ts'
import { findSession } from '../../domain/sessions.ts'
import type { Caller } from '../../lib/batch.ts'
import { tokenOf } from './auth.ts'
import { sessionTokenOf } from './sessions.ts'

/** For a request that the gate admitted long ago. Throws if its key or its session has become invalid since. */
export async function authenticateAgain(request: FastifyRequest, scope: Scope, caller: Caller) {
  const { store } = request
  const session = request.headers.authorization === undefined ? sessionTokenOf(request) : undefined
  const principal =
    session === undefined
      ? await authenticate(store, tokenOf(request.raw), caller)
      : (await findSession(store, session, false, caller)).principal
  requireScope(principal, scope)
}
