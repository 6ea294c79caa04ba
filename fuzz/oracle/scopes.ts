/** What a key needs for an operation; where nothing is said, any key will do. */
const SCOPES: Record<string, string> = {
  listPets: 'pets:read',
  getPet: 'pets:read',
  createPet: 'pets:write',
  updatePet: 'pets:edit',
  deletePet: 'pets:delete',
  listOrders: 'orders:read',
  getOrder: 'orders:read',
  placeOrder: 'orders:write',
  completeOrder: 'orders:write',
  cancelOrder: 'orders:write',
  listEvents: 'events:read',
  listWebhooks: 'webhooks:manage',
  createWebhook: 'webhooks:manage',
  getWebhook: 'webhooks:manage',
  updateWebhook: 'webhooks:manage',
  deleteWebhook: 'webhooks:manage',
  rotateWebhookSecret: 'webhooks:manage',
  pingWebhook: 'webhooks:manage',
  listWebhookAttempts: 'webhooks:manage',
}

/** What keys could do before there were orders: no such key has gained anything since. */
const EARLIER = ['pets:read', 'pets:write']

/** The scope that an earlier key lacks for this operation. */
export function lackingScope(operationId: string) {
  const scope = SCOPES[operationId]
  return scope === undefined || EARLIER.includes(scope) ? undefined : scope
}
