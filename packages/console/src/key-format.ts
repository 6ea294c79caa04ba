/** Whether the text has the form of an API key, so that a mistake is found before anything is sent. */
export const looksLikeKey = (text: string) => /^petk_(?:live|test)_(?:[a-z][a-z0-9]{0,19}_)?[0-9A-Za-z]{36}$/.test(text)
