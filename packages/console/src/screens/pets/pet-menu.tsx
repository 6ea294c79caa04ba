// What is rarely needed, or by programmers only, behind one button.
import type { PetPatch, PetRecord } from '@petstore/client'
import { useState } from 'preact/hooks'
import { pets } from '../../api.ts'
import { can } from '../../session.ts'
import { texts } from '../../texts.ts'
import { copyText } from '../../ui/copy.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { Menu } from '../../ui/menu.tsx'
import { notify } from '../../ui/toast.tsx'
import { petLink } from './place.ts'
import { markDeleted } from './records.ts'
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
  const [open, setOpen] = useState<'status' | 'delete'>()
  const close = () => setOpen(undefined)
  const remove = async () => {
    close()
    showNote(undefined)
    try {
      await pets.delete(pet.id, { ifMatch: pet.version })
      notify(t.deleted(pet.name))
      onDeleted()
      markDeleted(pet.id)
    } catch (error) {
      showNote(await explainRejection(pet.id, error))
    }
  }
  const order =
    pet.orderId === undefined
      ? { label: t.orders, path: `/orders?pet=${pet.id}` }
      : { label: t.order, path: `/orders?order=${pet.orderId}` }
  const askDelete = () => (pet.orderId === undefined ? setOpen('delete') : showNote(t.heldDelete))
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
          onSave={(status) => {
            close()
            void save({ status }, pet.version)
          }}
        />
      )}
      {open === 'delete' && (
        <Confirm
          title={t.deleteTitle(pet.name)}
          text={t.deleteText(pet.name, pet.id)}
          action={t.delete}
          onConfirm={() => void remove()}
          onClose={close}
        />
      )}
    </>
  )
}

function curlOf(id: bigint) {
  return `curl -H "Authorization: Bearer $PETSTORE_KEY" "${location.origin}/v1/pets?id=${id}&view=full"`
}
