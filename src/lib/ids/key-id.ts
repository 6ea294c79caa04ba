const TEXT = /^key_[0-9A-Za-z]{1,64}$/

/** Undefined for text that is not the id of a key. */
export function parseKeyId(text: string) {
  return TEXT.test(text) ? text : undefined
}
