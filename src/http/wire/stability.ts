declare module 'fastify' {
  interface FastifySchema {
    'x-stability'?: 'beta'
    'x-stability-level'?: 'beta'
  }
}

/** What is offered beyond the three operations, and may still change. */
export const BETA = { 'x-stability': 'beta', 'x-stability-level': 'beta' } as const
