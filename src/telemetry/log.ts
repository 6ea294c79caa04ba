import { hostname } from 'node:os'
import { isatty } from 'node:tty'
import { type DestinationStream, type Logger, pino } from 'pino'
import { readBuildInfo } from '../lib/build-info.ts'
import { byLabel, counter } from '../lib/metric.ts'
import { readable } from '../lib/readable-log.ts'
import { LogOutput } from './log-output.ts'

/** The log line of a response. Without its URL: the client may have put a secret there. */
export interface ResponseRecord {
  /** The path as its route declares it, like `/v1/pets/:petId`; undefined where no route matched. */
  path: string | undefined
  operation: string | undefined
  method: string
  requestId: string
  /** The ids in its path, each as a field: `,"petId":1`. */
  ids: string | undefined
  status: number
  keyId: string | undefined
  /** The store of the key, if it is another than the default one. */
  store: string | undefined
  /** The network of the client, if its key or its rate was rejected. */
  client: string | undefined
  ms: number
  /** Set for the few requests that are traced. Spelled as tools that join logs and traces expect it. */
  trace_id: string | undefined
  code: string | undefined
  reason: string | undefined
  /** The tool of `/v1/mcp` that called the operation. */
  tool: string | undefined
}

/** The log of a process: one line of JSON for each event, on standard output unless a test says otherwise. */
export function openLog(level: string, output: DestinationStream = standardOutput()) {
  const base = { pid: process.pid, hostname: hostname() }
  const log = pino({ level, base, serializers: { err: serializeError } }, output)
  const begin = (name: string) => (log.isLevelEnabled(name) ? `{"level":${log.levels.values[name]},"time":` : undefined)
  const [debug, info, warn, error] = [begin('debug'), begin('info'), begin('warn'), begin('error')]
  const parts = new CommonParts(base)
  /**
   * Writes the same line as the logger would, in a fifth of the time, for the most frequent event. Only the reason of a failure needs
   * escaping: names are our own, and Request-Ids are checked.
   */
  const logResponse = (response: ResponseRecord) => {
    const { path, operation, method, requestId, status, keyId, client, ms, trace_id, code, reason } = response
    const { ids = '', store, tool } = response
    const isHealth = path === '/livez' || path === '/readyz'
    const line = isHealth ? debug : status < 500 ? info : status === 503 ? warn : error
    if (line === undefined) return
    const who = keyId === undefined ? '' : `,"keyId":"${keyId}"`
    const where = store === undefined ? '' : `,"store":"${store}"`
    const from = client === undefined ? '' : `,"client":"${client}"`
    const trace = trace_id === undefined ? '' : `,"trace_id":"${trace_id}"`
    const why = code === undefined ? '' : `,"code":"${code}"`
    const because = reason === undefined ? '' : `,"reason":${JSON.stringify(reason)}`
    const by = tool === undefined ? '' : `,"tool":"${tool}"`
    output.write(
      `${line}${Date.now()},${parts.of(method, path, operation)}${requestId}"${ids},"status":${status}${who}${where}${from},"ms":${ms}${trace}${why}${because}${by},"msg":"request completed"}\n`,
    )
  }
  const lost = linesLost(log, output)
  const metrics = [
    counter('petstore_log_errors_total', 'Log lines that were lost, by reason.', () => byLabel('reason', lost)),
  ]
  // No line is built if not even failures are logged.
  return { log, logResponse: error === undefined ? undefined : logResponse, metrics }
}

/** JSON for programs; a readable format on a terminal. */
function standardOutput() {
  return new LogOutput(isatty(1) ? readable : undefined)
}

/** Which version this is, its settings, and what seems wrong with them: before anything else is logged. */
export function logStart(log: Logger, settings: object, warnings: readonly string[]) {
  log.info({ ...readBuildInfo(), node: process.version, settings }, 'starting')
  for (const warning of warnings) log.warn(warning)
}

/** The lines that an output could not write, which also go into the log once it is written again. */
function linesLost(log: Logger, output: DestinationStream): Record<string, number> {
  if (!(output instanceof LogOutput)) return { write_failed: 0, queue_full: 0 }
  output.onRecovered = (lost) => log.warn({ lost }, 'log lines were lost because they could not be written')
  return output.lost
}

/** The parts that the lines of an operation have in common, built once: a string of many parts costs with each part when it is written. */
class CommonParts {
  readonly #base: object
  readonly #parts = new Map<string, Map<string | undefined, string>>()

  constructor(base: object) {
    this.#base = base
  }

  /** A method and a path have one operation. */
  of(method: string, path: string | undefined, operation: string | undefined) {
    return this.#parts.get(method)?.get(path) ?? this.#make(method, path, operation)
  }

  #make(method: string, path: string | undefined, operation: string | undefined) {
    // Leaves out the patterns of its parameters.
    const plainPath = path?.replaceAll(/\([^)]*\)/g, '')
    const part = JSON.stringify({ ...this.#base, operation, method, path: plainPath, requestId: '' }).slice(
      1,
      -'"}'.length,
    )
    const ofMethod = this.#parts.get(method) ?? new Map<string | undefined, string>()
    this.#parts.set(method, ofMethod.set(path, part))
    return part
  }
}

/** Drivers attach whole connections to their errors, which do not belong in a log. */
function serializeError(error: Error) {
  const { type, message, stack, code }: Record<string, unknown> = pino.stdSerializers.err(error)
  return { type, message, stack, code }
}
