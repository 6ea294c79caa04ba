import { useRef } from 'preact/hooks'

// What the tables of pets and orders have in common.

/** Another class with each version that comes while the row is shown: one that stays would fade it only once. */
export function useChange(version: bigint) {
  const first = useRef(version)
  return version === first.current ? undefined : `changed ${version % 2n === 0n ? '' : 'odd'}`
}

/** Whether a click on a link is an ordinary one, and not for a new tab or window. */
const isPlain = (event: MouseEvent) =>
  event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey

/** For a click on a row that opens what is in it, but for a part that does something else. */
export const opens = (open: () => void, part: string) => (event: MouseEvent) => {
  if (!isPlain(event) || (event.target instanceof Element && event.target.closest(part))) return
  // Text that was marked to be copied is not a click.
  if (getSelection()?.isCollapsed === false) return
  event.preventDefault()
  open()
}

const rowLinks = () => [...document.querySelectorAll<HTMLElement>('[data-row]')]

/** Moves the focus to the next or previous row: from the focused one, else from that of the open item, else from the end. */
export function focusRow(step: number) {
  const rows = rowLinks()
  const focused = rows.findIndex((row) => row.closest('tr')?.contains(document.activeElement))
  const from = focused >= 0 ? focused : rows.findIndex((row) => row.closest('tr')?.ariaCurrent === 'true')
  rows[from >= 0 ? from + step : step > 0 ? 0 : rows.length - 1]?.focus()
}

/** The pet of the focused row. */
export function focusedPet() {
  const row = document.activeElement?.closest('tr')?.querySelector<HTMLElement>('[data-row]')
  return row ? BigInt(row.dataset['row'] ?? '') : undefined
}

/** The row of a pet; if it is not on this page, the first row or else the heading. */
export function returnFocus(id?: bigint) {
  const rows = rowLinks()
  const row = rows.find((one) => one.dataset['row'] === String(id)) ?? rows[0]
  ;(row ?? document.querySelector<HTMLElement>('main h1'))?.focus()
}
