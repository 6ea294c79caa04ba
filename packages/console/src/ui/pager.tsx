import type { ComponentChildren } from 'preact'
import { nextPage, previousPage } from '../pages.ts'
import { texts } from '../texts.ts'

const { pets: t } = texts

interface PagerProps {
  item: Parameters<typeof nextPage>[1]
  after: string | undefined
  next: string | undefined
  /** In place of the button to the next page. */
  instead?: ComponentChildren
  /** Before the buttons. */
  children?: ComponentChildren
}

/** Buttons that lead nowhere are not `disabled`: that would lose the focus on the last page. */
export function Pager({ item, after, next, instead, children }: PagerProps) {
  return (
    <nav class="pager" aria-label={t.pages}>
      {children}
      <button
        type="button"
        aria-disabled={after === undefined}
        onClick={() => after !== undefined && previousPage(item)}
      >
        {t.previous}
      </button>
      {instead || (
        <button
          type="button"
          aria-disabled={next === undefined}
          onClick={() => next !== undefined && nextPage(next, item)}
        >
          {t.next}
        </button>
      )}
    </nav>
  )
}
