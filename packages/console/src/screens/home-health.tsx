import { formatMoment } from '../format.ts'
import { type Problem, pathOfStuck, problemOf, stateOf } from '../health.ts'
import { noEvent, useLive, usePolling } from '../live.ts'
import { readHealth, seesAll } from '../read-health.ts'
import { href } from '../router.ts'
import { texts } from '../texts.ts'
import { Icon } from '../ui/icon.tsx'

const { home: t } = texts
const REFRESH_MS = 30_000

/** One line: that everything works, or what does not, and where to look. */
export function Health({ isReady }: { isReady: boolean }) {
  const live = useLive(
    async (signal) => {
      if (!isReady) return undefined
      const { status, hooks } = await readHealth(signal)
      return { problem: problemOf(status, hooks) }
    },
    [isReady],
    noEvent,
  )
  usePolling(live, REFRESH_MS)
  const isUnknown = live.error.value !== undefined
  const { problem } = live.data.value ?? {}
  // Its place, so that nothing moves when it is known.
  return (
    <p class="health end" role="status">
      {isUnknown ? (
        <span class="soft">{t.unknown}</span>
      ) : problem ? (
        <a href={href(pathOf(problem))}>
          <Icon of="warn" isSmall />
          <span>
            <strong>{wordsOf(problem)}</strong>
            {problem.kind === 'webhook' && problem.webhook.failingSince && stateOf(problem.webhook) === 'failing' && (
              <> {t.since(formatMoment(problem.webhook.failingSince))}</>
            )}
          </span>
        </a>
      ) : (
        live.data.value && (
          <>
            <Icon of="check" isSmall />
            {seesAll() ? t.fine : t.fineInPart}
          </>
        )
      )}
    </p>
  )
}

function wordsOf(problem: Problem) {
  if (problem.kind !== 'webhook') return 'n' in problem ? t.problems[problem.kind](problem.n) : t.problems[problem.kind]
  const { name, url } = problem.webhook
  const state = stateOf(problem.webhook)
  return t.stuck[state === 'active' ? 'failing' : state](name ?? new URL(url).host)
}

function pathOf(problem: Problem) {
  if (problem.kind === 'webhook') return pathOfStuck([problem.webhook])
  return problem.kind === 'webhooks' ? '/webhooks' : '/status'
}
