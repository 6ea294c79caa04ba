import { isUtf8 } from 'node:buffer'
import type { PetFormat } from '../domain/export.ts'
import type { LineFormat, LineReader } from '../domain/import-input.ts'
import type { NewPet } from '../domain/pets.ts'
import { csvFields } from '../lib/csv.ts'
import { parseInt64 } from '../lib/int64.ts'
import { Refusal } from './errors.ts'
import { parseJson } from './json.ts'
import { MAX_BODY_BYTES } from './media-type.ts'
import { NewPetRef } from './schemas/pets.ts'
import { compileBody } from './validation.ts'

/** A line is judged as the body of `POST /v1/pets` is, and refused with the same sentences, about the line. */
export const LINE_FORMATS: Record<PetFormat, LineFormat> = {
  ndjson: { maxLineBytes: MAX_BODY_BYTES, hasHeader: false, reader: () => refusing((line) => judge(parseJson(line))) },
  csv: { maxLineBytes: MAX_BODY_BYTES, hasHeader: true, reader: csvReader },
}

const COLUMNS = ['name', 'categoryId', 'status'] as const
const check = compileBody(NewPetRef)
const LINE_TOO_LONG = `The line is over ${MAX_BODY_BYTES.toLocaleString('en')} bytes, which is the most a line may have.`

function refusing(read: (line: Buffer) => NewPet): LineReader {
  return (line) => {
    try {
      if (line.length > MAX_BODY_BYTES) return LINE_TOO_LONG
      return read(line)
    } catch (error) {
      // Sentences about a body as a whole begin with it; those about a field fit a line as they are.
      if (error instanceof Refusal) return error.message.replace(/^The body /, 'The line ')
      throw error
    }
  }
}

function judge(body: unknown) {
  const { error, value } = check(body)
  if (error) throw error
  return value
}

function csvReader(header: Buffer): LineReader {
  const names = csvFields(textOf(header).replace(/^\uFEFF/, '')) ?? []
  const places = COLUMNS.map((column) => names.indexOf(column))
  const isSound = new Set(names).size === names.length && names.includes('name') && names.includes('categoryId')
  if (!isSound)
    throw new Refusal(
      'invalid_body',
      'The first line of CSV must name the columns, each once, with name and categoryId among them: id,name,categoryId,status',
    )
  return refusing((line) => {
    const fields = csvFields(textOf(line))
    if (!fields) throw new Refusal('invalid_body', 'A quote is not closed, or stands inside of text without quotes.')
    if (fields.length !== names.length)
      throw new Refusal('invalid_body', `The first line names ${names.length} columns; this line has ${fields.length}.`)
    const [name, categoryId, status] = places.map((place) => fields[place])
    return judge({
      name,
      // CSV knows only text: a number is what spells one, and nothing between two commas is no value.
      ...(categoryId && { categoryId: parseInt64(categoryId) ?? categoryId }),
      ...(status && { status }),
    })
  })
}

/** Without the carriage return that RFC 4180 puts before the end of a line. */
function textOf(line: Buffer) {
  if (!isUtf8(line)) throw new Refusal('invalid_body', 'The line is not valid UTF-8.')
  return line.toString('utf8', 0, line.at(-1) === 0x0d ? line.length - 1 : line.length)
}
