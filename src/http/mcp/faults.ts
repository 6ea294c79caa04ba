/** Codes of JSON-RPC, and those that the protocol reserves for itself. */
export const PARSE_ERROR = -32_700
export const INVALID_REQUEST = -32_600
export const METHOD_NOT_FOUND = -32_601
export const INVALID_PARAMS = -32_602
export const HEADER_MISMATCH = -32_020
export const UNSUPPORTED_VERSION = -32_022

/** A message that breaks the protocol. A rejection by a tool is a result instead, which the model can read. */
export class ProtocolFault extends Error {
  override name = 'ProtocolFault'
  readonly code: number
  readonly status: number
  readonly data: object | undefined

  constructor(code: number, status: number, message: string, data?: object) {
    super(message)
    this.code = code
    this.status = status
    this.data = data
  }
}

/** `id` is JSON, and left out if the message has none that can be repeated: unlike JSON-RPC, the protocol has no null. */
export function faultBody(id: string | undefined, code: number, message: string, data?: object) {
  return `{"jsonrpc":"2.0",${id === undefined ? '' : `"id":${id},`}"error":${JSON.stringify({ code, message, data })}}`
}
