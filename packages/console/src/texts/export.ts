import { count } from '../format.ts'

/** The dialog that downloads pets. */
export const exporting = {
  title: 'Export pets',
  all: 'All pets.',
  filtered: 'The pets of this filter.',
  limit: 'At most 10,000. For more, use petstore export.',
  csvHint:
    'NDJSON has every name exactly. In CSV, a name that a spreadsheet would run as a formula gets a leading apostrophe.',
  as: (format: string) => `Download ${format}`,
  progress: (n: number) => `${count(n, 'pet', 'pets')} read…`,
  done: (n: number) => `${count(n, 'pet', 'pets')} exported.`,
  cut: (n: number) => `Exported the first ${count(n, 'pet', 'pets')}; there are more.`,
}
