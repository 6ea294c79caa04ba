import type { Socket } from 'node:net'

/** The visible parts of Node's HTTP parser: `pause`, and its callbacks, by number. */
interface Parser {
  pause: () => void
  [property: string]: unknown
}

const HANDLERS = new Set(['parserOnHeaders', 'parserOnHeadersComplete', 'parserOnBody', 'parserOnMessageComplete'])

/**
 * Ends the parsing of a connection for good, in the middle of what has been read from it. Node has no public way: a paused
 * parser still goes through all of its 64 KiB, which may hold ten thousand chunks or two thousand requests, and stops at the
 * next read. Without its callbacks, that costs next to nothing. Node reports whatever arrives from then on as
 * an error of the client, HPE_PAUSED.
 */
export function stopParsing(socket: Socket & { parser?: Parser | null }) {
  const { parser } = socket
  if (!parser) return
  const handlers = Object.entries(parser).filter(([, value]) => typeof value === 'function' && HANDLERS.has(value.name))
  for (const [index] of handlers) parser[index] = undefined
  parser.pause()
  // Node reuses the parser for another connection as soon as all listeners of this event have run.
  socket.once('close', () => Object.assign(parser, Object.fromEntries(handlers)))
}
