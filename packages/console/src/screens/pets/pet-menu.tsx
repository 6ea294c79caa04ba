// What is rarely needed, or by programmers only, behind one button.
import type { PetPatch, PetRecord } from '@petstore/client'
import { useState } from 'preact/hooks'
import { isUncertain, pets } from '../../api.ts'
import { can } from '../../session.ts'
import { texts } from '../../texts.ts'
import { copyText } from '../../ui/copy.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { notify } from '../../ui/toast.tsx'
import { petLink } from './place.ts'
import { markDeleted, petOf } from './records.ts'
import { explainRejection } from './rejections.ts'
import { StatusDialog } from './status-choice.tsx'

const { panel: t } = texts.pets

interface PetMenuProps {
  pet: PetRecord
  showNote: (note: string | undefined) => void
  save: (patch: PetPatch, ifMatch: bigint) => Promise<void>
  onDeleted: () => void
}

export function PetMenu({ pet, showNote, save, onDeleted }: PetMenuProps) {
  /** `delete`: the pet as it was when the question was asked. */
  const [open, setOpen] = useState<'status' | { delete: PetRecord }>()
  const close = () => setOpen(undefined)
  const remove = async (asked: PetRecord) => {
    close()
    showNote(undefined)
    try {
      await pets.delete(pet.id, { ifMatch: asked.version })
    } catch (error) {
      const note = await explainRejection(pet.id, error, t.notDeleted)
      // Without a response, it is deleted all the same.
      if (!isUncertain(error) || petOf(pet.id) !== null) return showNote(note)
    }
    notify(t.deleted(asked.name))
    onDeleted()
    markDeleted(pet.id)
  }
  const order =
    pet.orderId === undefined
      ? { label: t.orders, path: `/orders?pet=${pet.id}` }
      : { label: t.order, path: `/orders?order=${pet.orderId}` }
  const askDelete = () => (pet.orderId === undefined ? setOpen({ delete: pet }) : showNote(t.heldDelete))
  return (
    <>
      <Menu
        label={t.more}
        items={[
          ...(can('orders:read') ? [order] : []),
          { label: t.copyLink, run: () => void copyText(petLink(pet.id)) },
          { label: t.copyCurl, run: () => void copyText(curlOf(pet.id)) },
          ...(can('pets:edit') ? [{ label: t.correct, run: () => setOpen('status') }] : []),
          ...(can('pets:delete') ? (['line', { label: t.deleteMenu, isDanger: true, run: askDelete }] as const) : []),
        ]}
        note={t.version(pet.version)}
      />
      {open === 'status' && (
        <StatusDialog
          pet={pet}
          onClose={close}
          onSave={(status, ifMatch) => {
            close()
            void save({ status }, ifMatch)
          }}
        />
      )}
      {typeof open === 'object' && (
        <Confirm
          title={t.deleteTitle(open.delete.name)}
          text={t.deleteText(open.delete.name, pet.id)}
          action={t.delete}
          onConfirm={() => void remove(open.delete)}
          onClose={close}
        />
      )}
    </>
  )
}

function curlOf(id: bigint) {
  return `curl -H "Authorization: Bearer $PETSTORE_KEY" "${location.origin}/v1/pets?id=${id}&view=full"`
}
