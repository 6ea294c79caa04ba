/** The maximum size of the items of a result, counted twice: as structured content, and as text. */
export const MAX_RESULT_BYTES = 131_072

// Models read these characters and people do not see them: a name could hide instructions in tags (U+E0020 to U+E007F), for example.
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]+/gu

export function toResult(json: string) {
  const structured = visible(json)
  return `{${textContent(JSON.stringify(structured))},"structuredContent":${structured}}`
}

/** Only text: structured content must match the output schema of the tool, even if a call fails. */
export function errorResult(json: string) {
  return `{${textContent(JSON.stringify(visible(json)))},"isError":true}`
}

/** Whether a result with this structured content is certainly too long. It contains the content twice. */
export function isTooLong(json: string) {
  return 2 * Buffer.byteLength(json) > MAX_RESULT_BYTES
}

/** How many of the first items fit into a result; at least one. */
export function countFitting(items: readonly unknown[]) {
  let bytes = 0
  for (const [i, item] of items.entries()) {
    const structured = visible(JSON.stringify(item))
    bytes += Buffer.byteLength(structured) + Buffer.byteLength(JSON.stringify(structured))
    if (bytes > MAX_RESULT_BYTES) return Math.max(1, i)
  }
  return items.length
}

/** `text` is the JSON of a string. */
function textContent(text: string) {
  return `"content":[{"type":"text","text":${text}}]`
}

/** Replaces invisible characters by their code points, in the value itself: hosts parse JSON before they show it to a model. */
function visible(json: string) {
  return json.replaceAll(INVISIBLE, escaped)
}

function escaped(run: string) {
  let text = ''
  for (const character of run) text += `\\\\u{${character.codePointAt(0)?.toString(16)}}`
  return text
}
