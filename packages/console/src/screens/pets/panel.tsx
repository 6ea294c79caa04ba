import type { PetPatch, PetRecord } from '@petstore/client'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { categoryLabel } from '../../category-names.ts'
import { useLive } from '../../live.ts'
import { can } from '../../session.ts'
import { texts } from '../../texts.ts'
import { Icon } from '../../ui/icon.tsx'
import { Chip } from '../../ui/named.tsx'
import { useNote } from '../../ui/note.ts'
import { Skeleton, Stale } from '../../ui/screen.tsx'
import { petState, Status } from '../../ui/status.tsx'
import { notify } from '../../ui/toast.tsx'
import { Deal } from './deal.tsx'
import { EditFields } from './fields.tsx'
import { History } from './history.tsx'
import { PetMenu } from './pet-menu.tsx'
import { change, inverse, petName, petOf, readPet } from './records.ts'
import { explainRejection, takeBack } from './rejections.ts'

const { panel: t } = texts.pets

interface PanelProps {
  id: bigint
  onClose: () => void
  onDeleted: (id: bigint) => void
}

/** One pet: beside the list, or over it where there is no room. */
export function PetPanel({ id, onClose, onDeleted }: PanelProps) {
  const title = useRef<HTMLHeadingElement>(null)
  const live = useLive(
    (ending) => readPet(id, ending),
    [id],
    () => false,
  )
  const failure = live.error.value
  const pet = petOf(id)
  const { note, showNote } = useNote(live, petName(id))
  useLayoutEffect(() => title.current?.focus(), [])

  /** If the change was not made, the pet is read again before anything is said. */
  const save = async (patch: PetPatch, ifMatch: bigint, onRejected?: () => void) => {
    const before = petOf(id)
    if (!before) return
    showNote(undefined)
    try {
      const after = await change(id, patch, ifMatch)
      notify(sentence(before, after, patch), {
        undo: () => void takeBack(after, inverse(before, patch), showNote),
      })
    } catch (error) {
      onRejected?.()
      showNote(await explainRejection(id, error, onRejected ? t.conflictKept : t.conflict))
    }
  }
  return (
    <aside class="panel" aria-label={t.label}>
      <header>
        <h2 ref={title} tabIndex={-1} dir="auto">
          {pet?.name ?? t.titleOf(id)}
        </h2>
        {pet && <PetMenu pet={pet} showNote={showNote} save={save} onDeleted={() => onDeleted(id)} />}
        <button type="button" class="bare" aria-label={texts.common.close} onClick={onClose}>
          <Icon of="close" />
        </button>
      </header>
      {pet && (
        <p class="summary">
          <Status of={petState(pet)} />
          <Chip category={pet.categoryId} />
          <span class="id">{String(id)}</span>
        </p>
      )}
      <div class={note && 'notice warn'} role="alert">
        {note}
      </div>
      <Stale live={{ ...live, data: { value: pet } }} />
      {pet === undefined && failure === undefined && <Skeleton rows={8} />}
      {pet === null && (
        <>
          <p>
            <strong>{t.gone}</strong> {t.goneLead(id)}
          </p>
          <History id={id} />
        </>
      )}
      {pet && (
        <>
          <ReadOnly />
          <Deal pet={pet} showNote={showNote} save={save} />
          <EditFields pet={pet} save={save} />
          <History id={id} />
        </>
      )}
    </aside>
  )
}

function sentence(before: PetRecord, after: PetRecord, patch: PetPatch) {
  if (patch.name !== undefined) return t.renamed(before.name, after.name)
  if (patch.categoryId !== undefined) return t.moved(after.name, categoryLabel(after.categoryId))
  return after.status ? t.statusIs(after.name, texts.pets.status[after.status]) : t.statusNone(after.name)
}

function ReadOnly() {
  // Who can do the work of a shop needs no sentence on each pet about what staff may not.
  if (can('pets:edit') && can('orders:write')) return null
  const missing = (['pets:edit', 'pets:delete', 'orders:write'] as const).filter((scope) => !can(scope))
  const actions = missing.map((scope) => t.actions[scope])
  return <p class="hint">{t.readOnly(actions, missing.join(', '))}</p>
}
