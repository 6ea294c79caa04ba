import type { Webhook } from '@petstore/client'
import { stateOf } from '../health.ts'
import { texts } from '../manage-texts.ts'

// Full, bars, cross, warning sign: shapes, not only colours.
const SHAPES = {
  active: <circle cx="6" cy="6" r="4" class="fill" />,
  paused: <path d="M4.5 3v6M7.5 3v6" />,
  disabled: <path d="M3 3l6 6M9 3l-6 6" />,
  failing: <path d="M6 1.5l4.8 8.7H1.2zM6 5v2.4M6 8.6v.2" />,
}

export function WebhookState({ of }: { of: Webhook }) {
  const state = stateOf(of)
  return (
    <span class={`status ${state}`}>
      <svg viewBox="0 0 12 12" aria-hidden="true">
        {SHAPES[state]}
      </svg>
      {texts.webhooks.states[state]}
    </span>
  )
}
