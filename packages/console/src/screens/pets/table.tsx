import type { PetRecord } from '@petstore/client'
import type { Signal } from '@preact/signals'
import { can } from '../../session.ts'
import { texts } from '../../texts.ts'
import { Chip, Named } from '../../ui/named.tsx'
import { petState, Status } from '../../ui/status.tsx'
import { TimeLeft } from '../../ui/time.tsx'
import { focusedPet, focusRow, opens, useChange } from '../table-rows.ts'
import { holdOf } from './holds.ts'
import { openPet, petPath } from './place.ts'
import { petOf } from './records.ts'
import { matches, type View } from './view.ts'

const { pets: t } = texts

export type Selection = Signal<ReadonlySet<bigint>>

/** The row that was picked last. */
let last: bigint | undefined

/** Selects a row or takes it out of the selection; `isRange`: with all rows from the one that was picked last. */
export function pick(selection: Selection, id: bigint, ids: readonly bigint[], isRange: boolean) {
  const next = new Set(selection.value)
  const isOn = !next.has(id)
  const from = isRange && last !== undefined && next.size > 0 ? ids.indexOf(last) : -1
  const [first = 0, end = 0] = [from < 0 ? ids.indexOf(id) : from, ids.indexOf(id)].toSorted((a, b) => a - b)
  for (const one of ids.slice(first, end + 1)) {
    if (!isOn) next.delete(one)
    else if (petOf(one)) next.add(one)
  }
  last = id
  selection.value = next
  // A click with Shift also marks the text in between.
  if (isRange) getSelection()?.removeAllRanges()
}

/** Selects the focused row, and with it the next or previous one, which gets the focus. */
export function extend(selection: Selection, step: number) {
  const from = focusedPet()
  focusRow(step)
  const next = [from, focusedPet()].filter((id) => id !== undefined && petOf(id)) as bigint[]
  last = next.at(-1)
  selection.value = new Set([...selection.value, ...next])
}

interface TableProps {
  ids: readonly bigint[]
  view: View
  selection: Selection
}

export function Table({ ids, view, selection }: TableProps) {
  const isWritable = can('pets:edit')
  const selectable = ids.filter((id) => petOf(id))
  const isAll = selectable.length > 0 && selectable.every((id) => selection.value.has(id))
  return (
    <table class="pets">
      <thead>
        <tr>
          {isWritable && (
            <th class="pick">
              <label>
                <input
                  type="checkbox"
                  aria-label={t.selectAll}
                  checked={isAll}
                  onChange={() => {
                    selection.value = new Set(isAll ? [] : selectable)
                  }}
                />
              </label>
            </th>
          )}
          <th scope="col">{t.name}</th>
          <th scope="col" class="category">
            {t.category}
          </th>
          <th scope="col" class="state">
            {t.statusLabel}
          </th>
        </tr>
      </thead>
      <tbody>
        {ids.map((id) => {
          const pet = petOf(id)
          return pet ? (
            <Row key={String(id)} pet={pet} ids={ids} view={view} selection={selection} isWritable={isWritable} />
          ) : (
            <DeletedRow key={String(id)} id={id} isWritable={isWritable} />
          )
        })}
      </tbody>
    </table>
  )
}

interface RowProps extends TableProps {
  pet: PetRecord
  isWritable: boolean
}

function Row({ pet, ids, view, selection, isWritable }: RowProps) {
  const { id, name, categoryId, version } = pet
  const hold = holdOf(pet.orderId)
  return (
    <tr
      class={useChange(version)}
      aria-current={id === view.pet ? 'true' : undefined}
      onClick={opens(() => openPet(id, view.pet), '.pick')}
    >
      {isWritable && (
        <td class="pick">
          <label>
            <input
              type="checkbox"
              aria-label={t.select(name)}
              checked={selection.value.has(id)}
              onClick={(event) => pick(selection, id, ids, event.shiftKey)}
            />
          </label>
        </td>
      )}
      <td class="name">
        <Named name={name} id={id} path={petPath(id)} isRow />
        {/* It stays where it is until the next search. */}
        {!matches(view, pet) && <span class="hint">{t.noMatch}</span>}
      </td>
      <td class="category">
        <Chip category={categoryId} />
      </td>
      <td class="state">
        <div class="state-line">
          <Status of={petState(pet)} />
          {hold && (
            <>
              <bdi class="one-line soft">{hold.reference}</bdi>
              <TimeLeft until={hold.expiresAt} />
            </>
          )}
        </div>
      </td>
    </tr>
  )
}

/** It stays where it was, so that nothing moves under the mouse. */
function DeletedRow({ id, isWritable }: { id: bigint; isWritable: boolean }) {
  return (
    <tr class="deleted">
      {isWritable && <td class="pick" />}
      <td class="name">
        <Named name={texts.pets.panel.titleOf(id)} id={id} path={petPath(id)} isRow />
      </td>
      <td class="category" />
      <td class="state soft">{t.deleted}</td>
    </tr>
  )
}
