/** Whether the text has the form of an API key, so that a mistake is found before anything is sent. */
export const looksLikeKey = (text: string) => /^petk_(?:live|test)_[0-9A-Za-z]{36}$/.test(text)
