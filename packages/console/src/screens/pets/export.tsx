import type { Pet } from '@petstore/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { explain, pets } from '../../api.ts'
import { texts } from '../../later-texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { notify } from '../../ui/toast.tsx'
import { FORMATS, type Format, write } from './export-lines.ts'
import { isFiltered, type View } from './view.ts'

const { exporting: t } = texts
const MAX_EXPORTED = 10_000

/** Downloads the pets of a filter, on all its pages. */
export function Export({ view, onClose }: { view: View; onClose: () => void }) {
  const [done, setDone] = useState<number>()
  const [fault, setFault] = useState<string>()
  const ending = useRef(new AbortController())
  useEffect(() => () => ending.current.abort(), [])
  const run = async (format: Format) => {
    if (done !== undefined) return
    setFault(undefined)
    setDone(0)
    try {
      const { found, isCut } = await readAll(view, ending.current.signal, setDone)
      download(`pets.${format.toLowerCase()}`, write(format, found))
      notify(isCut ? t.cut(found.length) : t.done(found.length))
      onClose()
    } catch (error) {
      if (ending.current.signal.aborted) return
      setDone(undefined)
      setFault(explain(error))
    }
  }
  return (
    <Dialog title={t.title} onClose={onClose}>
      <p>
        {isFiltered(view) ? t.filtered : t.all} {t.limit}
      </p>
      <p class="hint">{t.csvHint}</p>
      <p role="status">{done !== undefined && t.progress(done)}</p>
      <p class="fault" role="alert">
        {fault}
      </p>
      <footer>
        {FORMATS.map((format) => (
          <button key={format} type="button" aria-disabled={done !== undefined} onClick={() => void run(format)}>
            {t.as(format)}
          </button>
        ))}
      </footer>
    </Dialog>
  )
}

async function readAll(
  { status, category, ids, name, sort }: View,
  signal: AbortSignal,
  onProgress: (read: number) => void,
) {
  const found: Pet[] = []
  for await (const pet of pets.list({
    status,
    categoryId: category,
    ids,
    name,
    ...(name === undefined && { sort }),
    signal,
  })) {
    if (found.length === MAX_EXPORTED) return { found, isCut: true }
    found.push(pet)
    if (found.length % 100 === 0) onProgress(found.length)
  }
  return { found, isCut: false }
}

function download(name: string, text: string) {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(new Blob([text]))
  link.download = name
  link.click()
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
