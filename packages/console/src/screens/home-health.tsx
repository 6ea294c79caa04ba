import { serviceStatus, webhooks } from '../api.ts'
import { formatMoment } from '../format.ts'
import { type Problem, problemOf } from '../health.ts'
import { noEvent, useLive, usePolling } from '../live.ts'
import { href } from '../router.ts'
import { can } from '../session.ts'
import { texts } from '../texts.ts'
import { Icon } from '../ui/icon.tsx'

const { home: t } = texts
const REFRESH_MS = 30_000

/** One line: that everything works, or what does not, and where to look. */
export function Health({ isReady }: { isReady: boolean }) {
  const live = useLive(
    async (signal) => {
      if (!isReady) return undefined
      const [status, hooks] = await Promise.all([
        can('status:read') ? serviceStatus({ signal }) : undefined,
        can('webhooks:manage') ? webhooks.list({ signal }) : undefined,
      ])
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
          <strong>{wordsOf(problem)}</strong>
          {problem.kind === 'webhook' && problem.webhook.failingSince !== undefined && (
            <span>{t.since(formatMoment(problem.webhook.failingSince))}</span>
          )}
        </a>
      ) : (
        live.data.value && (
          <>
            <Icon of="check" isSmall />
            {t.fine}
          </>
        )
      )}
    </p>
  )
}

function wordsOf(problem: Problem) {
  if (problem.kind === 'webhook') return t.problems.webhook(problem.webhook.name ?? new URL(problem.webhook.url).host)
  return 'n' in problem ? t.problems[problem.kind](problem.n) : t.problems[problem.kind]
}

function pathOf(problem: Problem) {
  if (problem.kind === 'webhook') return `/webhooks?webhook=${problem.webhook.id}`
  return problem.kind === 'webhooks' ? '/webhooks' : '/status'
}
