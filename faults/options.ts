import type { ParseArgsOptionsConfig } from 'node:util'

export const FAULT_OPTIONS = {
  times: { type: 'string' },
  quick: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  record: { type: 'boolean', default: false },
  break: { type: 'string' },
  clean: { type: 'boolean', default: false },
} as const satisfies ParseArgsOptionsConfig
