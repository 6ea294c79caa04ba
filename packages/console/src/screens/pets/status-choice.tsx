import type { PetRecord, PetStatus } from '@petstore/client'
import { useId } from 'preact/hooks'
import { can } from '../../session.ts'
import { texts } from '../../texts.ts'
import { PET_STATUSES, Status } from '../../ui/status.tsx'

const { pets: t } = texts

/** The status of a pet; while an order holds the pet, it is the order's. */
export function StatusChoice({ pet, onChange }: { pet: PetRecord; onChange: (status: PetStatus | null) => void }) {
  const id = useId()
  const isHeld = pet.orderId !== undefined
  const reason = isHeld ? t.panel.held : pet.status === 'sold' && can('pets:edit') ? t.panel.sold : undefined
  return (
    // The arrow keys move in the group, and not in the list beside it.
    <fieldset
      class="choice"
      disabled={!can('pets:edit')}
      aria-describedby={id}
      onKeyDown={(event) => event.key.startsWith('Arrow') && event.stopPropagation()}
    >
      <legend>{t.statusLabel}</legend>
      <div>
        {[...PET_STATUSES, undefined].map((status) => (
          <label key={status}>
            <input
              type="radio"
              name="pet-status"
              checked={pet.status === status}
              disabled={isHeld && pet.status !== status}
              onChange={() => onChange(status ?? null)}
            />
            <Status of={status} />
          </label>
        ))}
      </div>
      <p class="hint" id={id}>
        {reason}
      </p>
    </fieldset>
  )
}
