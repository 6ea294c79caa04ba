import { createRequire } from 'node:module'

// `import` would load Node's WebSocket client too, a fifteenth of the start time.
// A cast: `require` has no types.
const http = createRequire(import.meta.url)('node:http') as typeof import('node:http')

export const { createServer, METHODS, STATUS_CODES } = http
