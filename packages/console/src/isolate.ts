import { withValues } from './values.ts'

const [FIRST_STRONG, POP] = ['\u2068', '\u2069']
const ISOLATES = /[\u2066-\u2069]/g
/** Letters of scripts that are written from right to left, and characters that set a direction. */
const TURNING =
  /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u

/**
 * A value for the middle of a sentence, the rest of which it can't turn: what is opened in it ends with it, and it ends nothing that was
 * opened before it. Text that can't turn anything is returned as it is.
 */
export function isolate(text: string) {
  if (!TURNING.test(text)) return text
  let open = 0
  const balanced = text.replaceAll(ISOLATES, (mark) => {
    if (mark === POP && open === 0) return ''
    open += mark === POP ? -1 : 1
    return mark
  })
  return FIRST_STRONG + balanced + POP.repeat(open + 1)
}

/** Texts of which each that has a place for a value isolates it. */
export const isolating = <Texts>(texts: Texts) => withValues(texts, isolate)
