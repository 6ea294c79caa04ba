import type { Logger } from 'pino'
import { reasonOf } from '../lib/reason.ts'

/** Logs what the service depends on, with one line for each change of state. */
export function logDependencies(log: Logger) {
  let wasConnected = false
  let isOutdated = false
  const warn = (error: Error | undefined, message: string) => log.warn({ reason: reasonOf(error) }, message)
  return {
    database: {
      onLost(error: Error) {
        const what = wasConnected ? 'lost the connection to the database' : 'cannot connect to the database'
        warn(error, `${what}; requests are held for up to 5 s, then rejected`)
      },
      onFound() {
        log.info(`connected to the database${wasConnected ? ' again' : ''}`)
        wasConnected = true
      },
      onStalled: (error: Error) =>
        warn(error, 'commits are not being acknowledged (standby down?); writes are held for up to 5 s, then rejected'),
      onResumed: () => log.info('commits are acknowledged again'),
      onSchema(nowOutdated: boolean) {
        if (!nowOutdated) log.info('the database schema is up to date')
        else if (!isOutdated)
          log.error('the database schema is outdated; requests are rejected until you run `petstore migrate`')
        isOutdated = nowOutdated
      },
    },
    /** The state at the start, which is not a change of its own. */
    noteConnected() {
      wasConnected = true
    },
    noteUnfit(message: string) {
      if (!isOutdated) log.error(message)
      isOutdated = true
    },
    keyChanges: {
      onLost: (error: Error | undefined) =>
        warn(error, 'lost notifications of key changes; keys are not cached until they are back'),
      onFound: () => log.info('notified of key changes again'),
    },
    feedChanges: {
      onLost: (error: Error | undefined) =>
        warn(error, 'lost the connection for the event feed; new events are not shown until it is back'),
      onFound: () => log.info('connected for the event feed again'),
    },
    redis: {
      onLost: (error: Error) =>
        warn(error, 'lost the connection to Redis; each process counts on its own until it is back'),
      onFound: () => log.info('connected to Redis again'),
    },
    onExposedKey: (keyId: string, requestId: string) =>
      log.warn({ keyId, requestId }, 'the URL of a request contained this key: it is exposed, rotate it'),
    onTracesFailed: (error: Error | undefined) =>
      log.warn({ err: error }, 'the collector does not accept traces; they are dropped until it does'),
  }
}
