import type { PetPatch, PetRecord } from '@petstore/client'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { explain, hasCode, isUncertain } from '../../api.ts'
import { useLive } from '../../live.ts'
import { href } from '../../router.ts'
import { can } from '../../session.ts'
import { texts } from '../../texts.ts'
import { CopyButton } from '../../ui/copy.tsx'
import { Icon } from '../../ui/icon.tsx'
import { useNote } from '../../ui/note.ts'
import { Skeleton, Stale } from '../../ui/screen.tsx'
import { notify } from '../../ui/toast.tsx'
import { PetActions } from './actions.tsx'
import { EditFields } from './fields.tsx'
import { History } from './history.tsx'
import { petLink } from './place.ts'
import { change, inverse, petOf, readPet } from './records.ts'
import { StatusChoice } from './status-choice.tsx'

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
  const { note, showNote } = useNote(live.refresh)
  const pet = petOf(id)
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
        <h2 ref={title} tabIndex={-1}>
          {pet?.name ?? t.titleOf(id)}
        </h2>
        <button type="button" class="bare" aria-label={texts.common.close} onClick={onClose}>
          <Icon of="close" />
        </button>
      </header>
      <div class={note && 'notice warn'} role="alert">
        {note}
      </div>
      <Stale live={{ ...live, data: { value: pet } }} />
      {pet === undefined && failure === undefined && <Skeleton />}
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
          <Facts pet={pet} />
          <StatusChoice pet={pet} onChange={(status) => void save({ status }, pet.version)} />
          <EditFields pet={pet} save={save} />
          <PetActions
            pet={pet}
            showNote={showNote}
            explainRejection={(error) => explainRejection(id, error)}
            onDeleted={() => onDeleted(id)}
          />
          <div class="row">
            <CopyButton label={t.copyLink} text={() => petLink(id)} />
            <CopyButton label={t.copyCurl} text={() => curlOf(id)} />
          </div>
          <History id={id} />
        </>
      )}
    </aside>
  )
}

/** The pet is read again first, so that what is said is true when it is read. */
async function explainRejection(id: bigint, error: unknown, conflict: string = t.conflict) {
  const isRead = await readPet(id).then(
    () => true,
    () => false,
  )
  if (isRead && hasCode(error, 'version_mismatch')) return conflict
  if (isRead && isUncertain(error)) return texts.common.interrupted
  return explain(error, { withRequestId: true })
}

async function takeBack(pet: PetRecord, patch: PetPatch, showNote: (text: string) => void) {
  try {
    const { name } = await change(pet.id, patch, pet.version)
    notify(t.undone(name))
  } catch (error) {
    showNote(await explainRejection(pet.id, error, t.changedSince))
  }
}

function sentence(before: PetRecord, after: PetRecord, patch: PetPatch) {
  if (patch.name !== undefined) return t.renamed(before.name, after.name)
  if (patch.categoryId !== undefined) return t.moved(after.name, after.categoryId)
  return after.status ? t.statusIs(after.name, texts.pets.status[after.status]) : t.statusNone(after.name)
}

function curlOf(id: bigint) {
  return `curl -H "Authorization: Bearer $PETSTORE_KEY" "${location.origin}/v1/pets?id=${id}&view=full"`
}

function ReadOnly() {
  const missing = (['pets:edit', 'pets:delete', 'orders:write'] as const).filter((scope) => !can(scope))
  if (missing.length === 0) return null
  const actions = missing.map((scope) => t.actions[scope])
  return <p class="hint">{t.readOnly(actions, missing.join(', '))}</p>
}

function Facts({ pet }: { pet: PetRecord }) {
  return (
    <dl class="facts">
      <div>
        <dt>{texts.pets.id}</dt>
        <dd class="number">{String(pet.id)}</dd>
      </div>
      <div>
        <dt>{t.version}</dt>
        <dd class="number">{String(pet.version)}</dd>
      </div>
      {pet.orderId !== undefined && (
        <div>
          <dt>{t.order}</dt>
          <dd class="number">
            <a href={href(`/orders?order=${pet.orderId}`)}>{pet.orderId}</a>
          </dd>
        </div>
      )}
    </dl>
  )
}
