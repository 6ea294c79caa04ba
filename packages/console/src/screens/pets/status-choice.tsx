import type { PetRecord, PetStatus } from '@petstore/client'
import { useId, useState } from 'preact/hooks'
import { texts } from '../../texts.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Form } from '../../ui/form.tsx'
import { PET_STATUSES, Status } from '../../ui/status.tsx'

const { pets: t, common } = texts

interface StatusDialogProps {
  pet: PetRecord
  /** On the version whose status was shown when it was opened. */
  onSave: (status: PetStatus | null, ifMatch: bigint) => void
  onClose: () => void
}

/** Corrects the status of a pet; while an order holds the pet, it is the order's. */
export function StatusDialog({ pet, onSave, onClose }: StatusDialogProps) {
  const id = useId()
  const [chosen, setChosen] = useState(pet.status)
  // Another status that has come meanwhile was not seen. Anything else may have changed.
  const [seen] = useState(pet)
  const isSeen = pet.status === seen.status && pet.orderId === seen.orderId
  const save = () => onSave(chosen ?? null, isSeen ? pet.version : seen.version)
  const isHeld = pet.orderId !== undefined
  const reason = isHeld ? t.panel.held : pet.status === 'sold' ? t.panel.sold : undefined
  return (
    <Dialog title={t.panel.correctTitle} onClose={onClose}>
      <p class="soft">{t.panel.correctLead}</p>
      <Form action={common.save} onSubmit={() => (chosen === pet.status ? onClose() : save())} onCancel={onClose}>
        <fieldset class="choice" aria-describedby={id}>
          <legend>{t.statusLabel}</legend>
          <div>
            {[...PET_STATUSES, undefined].map((status) => (
              <label key={status}>
                <input
                  type="radio"
                  name="pet-status"
                  checked={chosen === status}
                  disabled={isHeld && pet.status !== status}
                  onChange={() => setChosen(status)}
                />
                <Status of={status} />
              </label>
            ))}
          </div>
          <p class="hint" id={id}>
            {reason}
          </p>
        </fieldset>
      </Form>
    </Dialog>
  )
}
