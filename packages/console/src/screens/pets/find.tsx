import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { readIds } from '../../int64.ts'
import { go, withQuery } from '../../router.ts'
import { texts } from '../../texts.ts'
import { CategoryField } from '../../ui/category-field.tsx'
import { useShortcuts } from '../../ui/shortcuts.ts'
import { MAX_IDS, type View } from './view.ts'

const { pets: t, common } = texts

/** What a filter leaves: the first page of another list, with no pet open. */
const FRESH = { id: undefined, status: undefined, category: undefined, after: undefined, pet: undefined }

/** Two ways to fewer pets: by their ids, and by their category. */
export function Find({ view }: { view: View }) {
  const [fault, setFault] = useState<string>()
  const ids = useRef<HTMLTextAreaElement>(null)
  useLayoutEffect(() => setFault(undefined), [view.key])
  useShortcuts({ '/': () => ids.current?.select() })

  const find = () => {
    const text = ids.current?.value ?? ''
    const found = readIds(text)
    const isTooMany = typeof found !== 'string' && found.length > MAX_IDS
    if (text.trim() !== '' && typeof found === 'string') setFault(common.int64[found])
    else if (isTooMany) setFault(t.tooManyIds(found.length))
    else {
      setFault(undefined)
      go(withQuery({ ...FRESH, id: typeof found === 'string' ? undefined : found.join() }))
    }
  }
  return (
    <search class="find">
      {/* Not an input: that joins pasted lines, and two ids become another one. */}
      <textarea
        ref={ids}
        key={`id ${view.ids?.join()}`}
        rows={1}
        inputMode="numeric"
        spellcheck={false}
        placeholder={t.find}
        aria-label={t.find}
        title={t.findHint}
        aria-invalid={fault !== undefined}
        aria-describedby="find-fault"
        aria-keyshortcuts="/"
        defaultValue={view.ids?.join(', ') ?? ''}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
          event.preventDefault()
          find()
        }}
      />
      <CategoryField
        label={t.category}
        any={t.anyCategory}
        value={view.category}
        onChoose={(id) => go(withQuery({ ...FRESH, status: view.status, category: id?.toString() }))}
      />
      <p class="fault" id="find-fault" role="alert">
        {fault}
      </p>
    </search>
  )
}
