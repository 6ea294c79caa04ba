import { type SerializerFactory, SerializerSelector } from '@fastify/fast-json-stringify-compiler'

const selector = SerializerSelector()

/** Compiles the bodies of successes only: errors are written in one place, and are a hundred more of the same. */
export const buildSerializer: SerializerFactory = (schemas, options) => {
  const compile = selector(schemas, options)
  return (route) => (Number(route.httpStatus) < 400 ? compile(route) : JSON.stringify)
}
