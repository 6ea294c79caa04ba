/** Plain text up to a comma, or quoted text, in which a quote is doubled. Sticky: fields follow each other. */
const FIELD = /(?:"(?<quoted>(?:[^"]|"")*)"|(?<plain>[^",]*))(?<end>,|$)/y

/** The fields of a record (RFC 4180) on one line; undefined if its quotes don't match. */
export function csvFields(line: string): string[] | undefined {
  if (!line.includes('"')) return line.split(',')
  const fields: string[] = []
  FIELD.lastIndex = 0
  for (;;) {
    const { quoted, plain = '', end } = FIELD.exec(line)?.groups ?? {}
    if (end === undefined) return undefined
    fields.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === '') return fields
  }
}
