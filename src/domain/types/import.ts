/** The form of the files that pets are imported from and exported to. */
export type PetFormat = 'ndjson' | 'csv'

/** How far an import has come. */
export interface ImportState {
  /** SHA-256 of the beginning of the input, by which it is known. */
  head: string
  /** The path of its file; `null` where the input has none. */
  name: string | null
  bytes: number
  /** SHA-256 of those bytes. */
  sha256: string
  lines: number
  added: number
  rejected: number
}
