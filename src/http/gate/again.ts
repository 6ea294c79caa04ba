import type { FastifyRequest } from 'fastify'
import { authenticate, requireScope } from '../../domain/keys.ts'
import type { Scope } from '../../domain/principal.ts'
import { findSession } from '../../domain/sessions.ts'
import type { Caller } from '../../lib/batch.ts'
import { tokenOf } from './auth.ts'
import { sessionCookieOf, tokenIn } from './sessions.ts'

/** For a request that the gate admitted long ago. Throws if its key or its session has become invalid since. */
export async function authenticateAgain(request: FastifyRequest, scope: Scope, caller: Caller) {
  const { store } = request
  const cookie = request.headers.authorization === undefined ? sessionCookieOf(request) : undefined
  const principal =
    cookie === undefined
      ? await authenticate(store, tokenOf(request.raw), caller)
      : (await findSession(store, tokenIn(cookie), false, caller)).principal
  requireScope(principal, scope)
}
