import type { LineReader } from '../../domain/import-input.ts'
import { messageOf, RequestError } from './errors.ts'
import { MAX_BODY_BYTES } from './media-type.ts'
import { aboutBody, HTTP, type Medium } from './wording.ts'

const CARRIAGE_RETURN = 0x0d
const LINE_TOO_LONG = `The line is over ${MAX_BODY_BYTES.toLocaleString('en')} bytes, which is the most a line may have.`

// Sentences about a field fit a line as they are.
const LINE: Medium = { ...HTTP, ...aboutBody('The line', ({ column }) => `column ${column}`) }

/** Reads a line as the body of a request: what the body would be rejected for, the line is rejected for. `holds`: 'one pet'. */
export function lineReader<Item>(holds: string, read: (line: Buffer) => Item): LineReader<Item> {
  const empty = `The line is empty; each line must hold ${holds}.`
  return (line) => {
    try {
      if (line.length > MAX_BODY_BYTES) return LINE_TOO_LONG
      // Returned, not thrown: a file can have millions of them.
      if (isBlank(line)) return empty
      return read(line)
    } catch (error) {
      if (error instanceof RequestError) return messageOf(error, LINE)
      throw error
    }
  }
}

function isBlank(line: Buffer) {
  return line.length === 0 || (line.length === 1 && line[0] === CARRIAGE_RETURN)
}
