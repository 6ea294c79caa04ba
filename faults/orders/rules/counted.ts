import type { Edited, Seen } from '../record.ts'
import type { Rule } from './rule.ts'

/** Every change adds one to the version of its pet. */
export const COUNTED = {
  versionBack: {
    must: 'the version of a pet never goes back',
    broken: ({ record, pets }) => [
      ...goneBack([...record.seen, ...record.edited.filter(isAcknowledged)]),
      ...record.seen.flatMap(({ petId, version }) => {
        const stored = pets.get(petId)?.version
        return stored !== undefined && stored < version
          ? [`pet ${petId} had version ${version} and is stored with ${stored}`]
          : []
      }),
    ],
  },
  lostChange: {
    must: 'each change makes exactly one version',
    broken: ({ record, stored, ordersOf }) => {
      const edits = Map.groupBy(record.edited, ({ petId }) => petId)
      return stored.pets.flatMap(({ id, version }) => {
        const orders = ordersOf.get(id) ?? []
        const edited = edits.get(id) ?? []
        const acknowledged = edited.filter(isAcknowledged)
        const closed = orders.filter(({ status }) => status !== 'placed').length
        const least = BigInt(1 + orders.length + closed + acknowledged.length)
        const most = least + BigInt(edited.length - acknowledged.length)
        const made = new Set(acknowledged.map((edit) => edit.version))
        return [
          ...(version < least || version > most
            ? [`pet ${id} has version ${version}, and its changes make ${least} to ${most}`]
            : []),
          ...(made.size < acknowledged.length ? [`two changes of pet ${id} made the same version`] : []),
        ]
      })
    },
  },
} satisfies Record<string, Rule>

/** A response had an older version than one that had arrived before its request was sent. */
function goneBack(seen: Seen[]) {
  const newest = new Map<bigint, bigint>()
  const arrived = seen.toSorted((a, b) => a.at - b.at).values()
  let next = arrived.next()
  return seen
    .toSorted((a, b) => a.begun - b.begun)
    .flatMap(({ petId, version, begun }) => {
      for (; next.value && next.value.at < begun; next = arrived.next())
        if (next.value.version > (newest.get(next.value.petId) ?? 0n)) newest.set(next.value.petId, next.value.version)
      const before = newest.get(petId) ?? 0n
      return version < before ? [`pet ${petId} had version ${before}, and then ${version}`] : []
    })
}

function isAcknowledged(edit: Edited): edit is Edited & { version: bigint } {
  return edit.version !== undefined
}
