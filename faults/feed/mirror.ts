import type { Pet, PetRecord } from '../../packages/client/src/index.ts'

/** Where a mirror differs from an export, and from the list with versions; nothing may change meanwhile. */
export function differences(
  copy: ReadonlyMap<bigint, PetRecord>,
  exported: readonly Pet[],
  listed: readonly PetRecord[],
): string[] {
  const rows = new Map(exported.map((pet) => [pet.id, pet]))
  const records = new Map(listed.map((pet) => [pet.id, pet]))
  return [
    ...exported.filter(({ id }) => !copy.has(id)).map(({ id }) => `pet ${id} is missing`),
    ...Array.from(copy.keys())
      .filter((id) => !rows.has(id))
      .map((id) => `pet ${id} was deleted, and the mirror has it`),
    ...Array.from(copy.values()).flatMap((pet) => {
      const [row, record] = [rows.get(pet.id), records.get(pet.id)]
      if (row && !isSame(pet, row)) return [`pet ${pet.id} is ${text(row)}, and in the mirror ${text(pet)}`]
      return record && (record.version !== pet.version || record.orderId !== pet.orderId)
        ? [`pet ${pet.id} is listed as ${text(record)}, and in the mirror ${text(pet)}`]
        : []
    }),
  ]
}

function isSame(pet: Pet, row: Pet) {
  return pet.name === row.name && pet.categoryId === row.categoryId && pet.status === row.status
}

function text(pet: Pet) {
  return JSON.stringify(pet, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
}
