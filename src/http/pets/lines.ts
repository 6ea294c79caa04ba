import { isUtf8 } from 'node:buffer'
import type { LineFormat, LineReader } from '../../domain/import-input.ts'
import type { PetFormat } from '../../domain/types/import.ts'
import { csvFields } from '../../lib/csv.ts'
import { parseInt64 } from '../../lib/int64.ts'
import { echo } from '../wire/echo.ts'
import { RequestError } from '../wire/errors.ts'
import { parseJson } from '../wire/json.ts'
import { lineReader } from '../wire/lines.ts'
import { MAX_BODY_BYTES } from '../wire/media-type.ts'
import { misnamed } from '../wire/unknown-names.ts'
import { Validator } from '../wire/validation.ts'
import { NewPet as NewPetSchema, PetStatus } from './schemas.ts'

/** A line is checked like the body of `POST /v1/pets`, and rejected with the same messages, about the line. */
export const LINE_FORMATS: Record<PetFormat, LineFormat> = {
  ndjson: { maxLineBytes: MAX_BODY_BYTES, hasHeader: false, reader: ndjsonReader },
  csv: { maxLineBytes: MAX_BODY_BYTES, hasHeader: true, reader: csvReader },
}

const COLUMNS = ['name', 'categoryId', 'status'] as const
const CARRIAGE_RETURN = 0x0d
const validate = new Validator([PetStatus]).body(NewPetSchema)
const ONE_PET = 'one pet'

function check(body: unknown) {
  const { error, value } = validate(body)
  if (error) throw error
  return value
}

function ndjsonReader(first: Buffer): LineReader {
  if (/^\s*\[/.test(first.toString('latin1', 0, 100)))
    throw new RequestError(
      'invalid_body',
      "This is a JSON array. NDJSON has one object on each line, with no brackets or commas between them: `jq -c '.[]' pets.json > pets.ndjson` makes it so.",
    )
  return lineReader(ONE_PET, (line) => check(parseJson(line, COLUMNS)))
}

function csvReader(header: Buffer): LineReader {
  const text = textOf(header).replace(/^\uFEFF/, '')
  const names = csvFields(text) ?? []
  const places = COLUMNS.map((column) => names.indexOf(column))
  const isSound = new Set(names).size === names.length && names.includes('name') && names.includes('categoryId')
  if (!isSound)
    throw new RequestError(
      'invalid_body',
      `The first line of CSV must name the columns, separated by commas, each once, with name and categoryId among them: id,name,categoryId,status. Got ${echo(text)}${separatorHint(text)}.`,
    )
  const mistake = misnamed(names, COLUMNS, { start: 'A CSV file of pets has no column' })
  if (mistake !== undefined) throw new RequestError('invalid_body', mistake)
  return lineReader(ONE_PET, (line) => {
    const fields = csvFields(textOf(line))
    if (!fields) throw new RequestError('invalid_body', 'A quote is not closed, or is inside of text without quotes.')
    if (fields.length !== names.length)
      throw new RequestError(
        'invalid_body',
        `The first line names ${names.length} columns; this line has ${fields.length}.`,
      )
    const [name, categoryId, status] = places.map((place) => fields[place])
    return check({
      name,
      // CSV knows only text: a number is what spells one, and nothing between two commas is no value.
      ...(categoryId && { categoryId: parseInt64(categoryId) ?? categoryId }),
      ...(status && { status }),
    })
  })
}

function separatorHint(header: string) {
  if (!header.includes(',') && header.includes(';')) return ', which is separated by semicolons: export it with commas'
  if (!header.includes(',') && header.includes('\t')) return ', which is separated by tabs: export it with commas'
  return ''
}

/** Without the carriage return that RFC 4180 puts before the end of a line. */
function textOf(line: Buffer) {
  if (!isUtf8(line)) throw new RequestError('invalid_body', 'The line is not valid UTF-8.')
  return line.toString('utf8', 0, line.at(-1) === CARRIAGE_RETURN ? line.length - 1 : line.length)
}
