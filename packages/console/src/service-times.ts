/** A session ends after this long without input. */
export const IDLE_MS = 60 * 60_000
/** The end of a key is announced this early. */
export const EXPIRY_NOTICE_MS = 14 * 86_400_000
