import { readInt64 } from '../int64.ts'

export interface Command {
  label: string
  run: () => void
}

interface Targets<One> {
  openPet: (id: string) => One
  openOrder: (id: string) => One
}

/** What the palette offers for a text: digits lead to a pet, the id of an order to that order, and words to the commands that have them all. */
export function suggest<One extends Command>(
  text: string,
  commands: readonly One[],
  { openPet, openOrder }: Targets<One>,
): One[] {
  const typed = text.trim()
  if (/^ord_[\w-]+$/.test(typed)) return [openOrder(typed)]
  const words = typed.toLowerCase().split(/\s+/)
  const found = commands.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
  return /^\d+$/.test(typed) && typeof readInt64(typed) === 'bigint' ? [openPet(typed), ...found] : found
}
