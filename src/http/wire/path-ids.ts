import { type OrderKey, orderIdText } from '../../lib/ids/order-id.ts'
import { parseInt64 } from '../../lib/int64.ts'
import type { PathParameters } from './operation.ts'

/** The ids in the path of a request, as fields of its log line. Text that is no id is left out: it may be a secret. */
export function idFields(declared: PathParameters, params: unknown) {
  let fields = ''
  for (const name in declared) {
    const value = (params as Record<string, string | bigint | OrderKey | undefined>)[name]
    if (value === undefined) continue
    const parse = declared[name]?.parse
    if (typeof value === 'bigint') fields += `,"${name}":${value}`
    else if (typeof value === 'object') fields += `,"${name}":"${orderIdText(value)}"`
    // As the client sent it: rejected before its path was read, or an id that is text.
    else if (parse) fields += parse(value) === undefined ? '' : `,"${name}":"${value}"`
    else fields += parseInt64(value) === undefined ? '' : `,"${name}":${value}`
  }
  return fields
}
