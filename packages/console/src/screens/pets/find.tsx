import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { readIds, readInt64 } from '../../int64.ts'
import { go, withQuery } from '../../router.ts'
import { texts } from '../../texts.ts'
import { useShortcuts } from '../../ui/shortcuts.ts'
import { MAX_IDS, type View } from './view.ts'

const { pets: t, common } = texts

/** What a filter leaves: the first page of another list, with no pet open. */
const FRESH = { id: undefined, status: undefined, category: undefined, after: undefined, pet: undefined }

/** Two ways to fewer pets: by their ids, and by their category. */
export function Find({ view }: { view: View }) {
  const [fault, setFault] = useState<{ field: 'ids' | 'category'; text: string }>()
  const ids = useRef<HTMLTextAreaElement>(null)
  const category = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => setFault(undefined), [view.key])
  useShortcuts({ '/': () => ids.current?.select() })

  const find = () => {
    const text = ids.current?.value ?? ''
    const found = readIds(text)
    const isTooMany = typeof found !== 'string' && found.length > MAX_IDS
    if (text.trim() !== '' && typeof found === 'string') setFault({ field: 'ids', text: common.int64[found] })
    else if (isTooMany) setFault({ field: 'ids', text: t.tooManyIds(found.length) })
    else {
      setFault(undefined)
      go(withQuery({ ...FRESH, id: typeof found === 'string' ? undefined : found.join() }))
    }
  }
  const filter = () => {
    const text = category.current?.value ?? ''
    const found = readInt64(text)
    if (typeof found === 'string' && found !== 'missing') setFault({ field: 'category', text: common.int64[found] })
    else {
      setFault(undefined)
      go(withQuery({ ...FRESH, status: view.status, category: found === 'missing' ? undefined : String(found) }))
    }
  }
  const onEnter = (run: () => void) => (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
    event.preventDefault()
    run()
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
        aria-invalid={fault?.field === 'ids'}
        aria-describedby="find-fault"
        aria-keyshortcuts="/"
        defaultValue={view.ids?.join(', ') ?? ''}
        onKeyDown={onEnter(find)}
      />
      <input
        ref={category}
        key={`category ${view.category}`}
        type="text"
        inputMode="numeric"
        autocomplete="off"
        placeholder={t.inCategory}
        aria-label={t.inCategory}
        aria-invalid={fault?.field === 'category'}
        aria-describedby="find-fault"
        defaultValue={view.category === undefined ? '' : String(view.category)}
        onKeyDown={onEnter(filter)}
      />
      <p class={`fault of-${fault?.field}`} id="find-fault" role="alert">
        {fault?.text}
      </p>
    </search>
  )
}
