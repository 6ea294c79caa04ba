import { createRequire } from 'node:module'

// By `import`, Node's client for WebSockets would be loaded with it: a fifteenth of what a start takes.
// A cast: `require` has no types.
const http = createRequire(import.meta.url)('node:http') as typeof import('node:http')

export const { createServer, METHODS, STATUS_CODES } = http
