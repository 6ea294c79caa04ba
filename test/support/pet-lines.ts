// A field that no pet has, and that is ignored: with it few lines make many chunks.
const NOTE = 'x'.repeat(8_192)

/** Lines of NDJSON for so many pets, about 8 KiB each. With another seed, all of them are other ones. */
export function manyLines(count: number, seed = '') {
  return Array.from({ length: count }, (_, i) =>
    JSON.stringify({ name: `pet ${seed}${i + 1}`, categoryId: i + 1, note: NOTE }),
  )
}
