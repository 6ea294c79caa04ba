// For a page of the service itself, which has a session: without keys, and without the mirror.
import { connect } from './connection.ts'
import type { PetstoreOptions } from './options.ts'
import { resourcesOf } from './resources.ts'

export * from './index.ts'

/** `baseUrl`: as `https://pets.example/v1`. */
export const createPetstore = ({ baseUrl, ...options }: Omit<PetstoreOptions, 'key'> & { baseUrl: string }) =>
  resourcesOf(connect(options, baseUrl, () => undefined))
