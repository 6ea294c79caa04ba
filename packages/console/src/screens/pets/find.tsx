import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { readIds } from '../../int64.ts'
import { go, withQuery } from '../../router.ts'
import { texts } from '../../texts.ts'
import { CategoryField } from '../../ui/category-field.tsx'
import { Icon } from '../../ui/icon.tsx'
import { usePause } from '../../ui/pause.ts'
import { useShortcuts } from '../../ui/shortcuts.ts'
import { hasTooManyWords, isIds, MAX_IDS, type View } from './view.ts'

const { pets: t, common } = texts

/** What a filter leaves: the first page of another list, with no pet open. */
const FRESH = { id: undefined, name: undefined, after: undefined, pet: undefined }

/** One field for names and ids, the category by its name, and the order. */
export function Find({ view }: { view: View }) {
  const [fault, setFault] = useState<string>()
  const field = useRef<HTMLTextAreaElement>(null)
  useShortcuts({ '/': () => field.current?.select() })
  const shown = view.name ?? view.ids?.join(', ') ?? ''
  /** What the address has as far as this field knows: text that is typed meanwhile is not replaced by it. */
  const sent = useRef('')
  useLayoutEffect(() => {
    if (field.current && shown !== sent.current) field.current.value = shown
    sent.current = shown
    setFault(undefined)
  }, [shown])

  const find = () => {
    const text = field.current?.value.trim() ?? ''
    const found = isIds(text) ? readIds(text) : undefined
    const isTooMany = Array.isArray(found) && found.length > MAX_IDS
    setFault(typeof found === 'string' ? common.int64[found] : isTooMany ? t.tooManyIds(found.length) : undefined)
    if (typeof found === 'string' || isTooMany) return
    if (!found && hasTooManyWords(text)) return setFault(t.tooManyWords)
    sent.current = found ? found.join(', ') : text
    // One entry of the history for a search, however many keys it took.
    const replace = shown !== ''
    go(
      withQuery({
        ...FRESH,
        ...(found ? { id: found.join(), status: undefined, category: undefined } : { name: text }),
      }),
      { replace },
    )
  }
  const pause = usePause(find)
  return (
    <search class="tools">
      <div class="seek">
        <Icon of="search" isSmall />
        {/* Not an input: that joins pasted lines, and two ids become another one. */}
        <textarea
          ref={field}
          rows={1}
          autocomplete="off"
          spellcheck={false}
          placeholder={t.find}
          aria-label={t.find}
          title={t.findHint}
          aria-invalid={fault !== undefined}
          aria-describedby="find-fault"
          aria-keyshortcuts="/"
          {...pause.typing}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
            event.preventDefault()
            pause.now()
          }}
        />
        <kbd>/</kbd>
      </div>
      <CategoryField
        label={t.category}
        any={t.anyCategory}
        value={view.category}
        onChoose={(id) => go(withQuery({ ...FRESH, name: view.name, category: id?.toString() }))}
      />
      {/* A search has an order of its own. */}
      <select
        aria-label={t.sortLabel}
        value={view.sort}
        disabled={view.name !== undefined}
        onChange={({ currentTarget: { value } }) =>
          go(withQuery({ sort: value === 'oldest' ? value : undefined, after: undefined }))
        }
      >
        {(['newest', 'oldest'] as const).map((sort) => (
          <option key={sort} value={sort}>
            {t.sort[sort]}
          </option>
        ))}
      </select>
      <p class="fault" id="find-fault" role="alert">
        {fault}
      </p>
    </search>
  )
}
