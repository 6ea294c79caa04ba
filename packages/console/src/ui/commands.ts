import { readInt64 } from '../int64.ts'

export interface Command {
  label: string
  run: () => void
}

interface Targets {
  openPet: (id: string) => Command
  openOrder: (id: string) => Command
}

/** What the palette offers for a text: digits lead to a pet, the id of an order to that order, and words to the commands that have them all. */
export function suggest(text: string, commands: readonly Command[], { openPet, openOrder }: Targets): Command[] {
  const typed = text.trim()
  if (/^ord_[\w-]+$/.test(typed)) return [openOrder(typed)]
  const words = typed.toLowerCase().split(/\s+/)
  const found = commands.filter(({ label }) => words.every((word) => label.toLowerCase().includes(word)))
  return /^\d+$/.test(typed) && typeof readInt64(typed) === 'bigint' ? [openPet(typed), ...found] : found
}
