import { type SerializerFactory, SerializerSelector } from '@fastify/fast-json-stringify-compiler'

type Serializer = (value: unknown) => string

const selector = SerializerSelector()

/** Compiles the bodies of successes only: errors are written in one place, and are a hundred more of the same. */
export const buildSerializer: SerializerFactory = (schemas, options) => {
  const compile = selector(schemas, options)
  return (route) => (Number(route.httpStatus) < 400 ? compiledOnce(() => compile(route)) : JSON.stringify)
}

/** Compiles at the first use: together they would be a tenth of the time of a start. */
function compiledOnce(compile: () => Serializer): Serializer {
  let serialize: Serializer | undefined
  return (value) => {
    serialize ??= compile()
    return serialize(value)
  }
}
