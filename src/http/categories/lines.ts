import type { LineReader } from '../../domain/import-input.ts'
import { parseJson } from '../wire/json.ts'
import { lineReader } from '../wire/lines.ts'
import { Validator } from '../wire/validation.ts'
import { CategoryLine } from './schemas.ts'

const validate = new Validator([]).body(CategoryLine)

/** A line is checked like the body of `PUT /v1/categories/{categoryId}`; it has the id too. */
export const readCategory: LineReader<{ id: bigint; name: string }> = lineReader('one category', (line) => {
  const { error, value } = validate(parseJson(line, ['id', 'name']))
  if (error) throw error
  return { id: value.id, name: value.name }
})
