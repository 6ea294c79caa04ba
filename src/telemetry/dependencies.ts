import type { Logger } from 'pino'
import { reasonOf } from '../lib/reason.ts'

/** What a process can no longer do, by the dependency that it has lost. */
const SERVING = {
  database: 'requests are held for up to 5 s, then rejected',
  commits: 'writes are held for up to 5 s, then rejected',
  schema: 'requests are rejected',
}
export const DELIVERING: typeof SERVING = {
  database: 'webhooks receive nothing until it is back',
  commits: 'webhooks receive nothing until they are',
  schema: 'webhooks receive nothing',
}

/** Logs what the service depends on, with one line for each change of state. */
export function logDependencies(log: Logger, consequences = SERVING) {
  let wasConnected = false
  let isOutdated = false
  const warn = (error: Error | undefined, message: string) => log.warn({ reason: reasonOf(error) }, message)
  return {
    database: {
      onLost(error: Error) {
        const what = wasConnected ? 'lost the connection to the database' : 'cannot connect to the database'
        warn(error, `${what}; ${consequences.database}`)
      },
      onRecovered() {
        log.info(`connected to the database${wasConnected ? ' again' : ''}`)
        wasConnected = true
      },
      onStalled: (error: Error) =>
        warn(error, `commits are not being acknowledged (standby down?); ${consequences.commits}`),
      onResumed: () => log.info('commits are acknowledged again'),
      onSchema(nowOutdated: boolean) {
        if (!nowOutdated) log.info('the database schema is up to date')
        else if (!isOutdated)
          log.error(`the database schema is outdated; ${consequences.schema} until you run \`petstore migrate\``)
        isOutdated = nowOutdated
      },
    },
    /** The state at the start, which is not logged as a change. */
    noteConnected() {
      wasConnected = true
    },
    reportNotReady(message: string) {
      if (!isOutdated) log.error(message)
      isOutdated = true
    },
    keyChanges: {
      onLost: (error: Error | undefined) =>
        warn(error, 'lost notifications of key changes; keys are not cached until they are back'),
      onRecovered: () => log.info('notified of key changes again'),
    },
    feedChanges: {
      onLost: (error: Error | undefined) =>
        warn(error, 'lost the connection for the event feed; new events are not shown until it is back'),
      onRecovered: () => log.info('connected for the event feed again'),
      onUnrecorded: () =>
        log.warn(
          'pets were added without events, by a version that records none; the feed begins a new epoch: cursors from before are 410, and mirrors read all pets again',
        ),
    },
    redis: {
      onLost: (error: Error) =>
        warn(error, 'lost the connection to Redis; each process counts on its own until it is back'),
      onRecovered: () => log.info('connected to Redis again'),
    },
    onExposedKey: (keyId: string, requestId: string) =>
      log.warn({ keyId, requestId }, 'the URL of a request contained this key: it is exposed, rotate it'),
    onWebhookDisabled: (webhookId: string) =>
      log.warn({ webhookId }, 'a webhook was disabled: its receiver is gone, or has failed for five days'),
    onWebhookPaused: ({ id, reason, keyId }: { id: string; reason: string; keyId: string }) =>
      log.warn({ webhookId: id, reason, keyId }, 'a webhook was paused: its key can no longer receive events'),
    onWebhookSkipped: (webhookId: string) =>
      log.warn({ webhookId }, 'a webhook has missed events: they were no longer kept when their turn came'),
    onEventsUnread: (error: unknown) => log.error({ err: error }, 'could not read the events of a webhook; will retry'),
    onTracesFailed: (error: Error | undefined) =>
      log.warn({ err: error }, 'the collector does not accept traces; they are dropped until it does'),
  }
}
