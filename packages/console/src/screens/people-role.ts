import { texts } from '../manage-texts.ts'

const READER = ['pets:read', 'orders:read', 'events:read']
const STAFF = [...READER, 'orders:write', 'pets:write', 'pets:edit']
/** As the command line makes them. Only their scopes are stored. */
const ROLES = {
  manager: [...STAFF, 'pets:delete', 'webhooks:manage', 'categories:write', 'keys:read', 'status:read'],
  staff: STAFF,
  shop: ['pets:read', 'orders:read', 'orders:write'],
  reader: READER,
} as const

const asSet = (scopes: readonly string[]) => scopes.toSorted().join()

/** What scopes let a key do: a role, or `pets: read, edit · orders: read`. */
export function roleOf(scopes: readonly string[]) {
  const [role] = Object.entries(ROLES).find(([, those]) => asSet(those) === asSet(scopes)) ?? []
  if (role !== undefined) return texts.people.roles[role as keyof typeof ROLES]
  const verbs = Object.groupBy(scopes, (scope) => scope.split(':')[0] ?? '')
  return Object.entries(verbs)
    .map(([resource, those]) => `${resource}: ${those?.map((scope) => scope.split(':')[1]).join(', ')}`)
    .join(' · ')
}
