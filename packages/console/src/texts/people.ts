export const people = {
  name: 'Name',
  state: 'State',
  states: { active: 'Active', replaced: 'Replaced', expired: 'Expired', revoked: 'Revoked' },
  lastUsed: 'Last used',
  never: 'Never',
  deprecated: 'Deprecated requests',
}
