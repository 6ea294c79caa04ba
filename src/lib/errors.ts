/** The code of an error of Node or PostgreSQL, like `ENOENT` or `42P01`; empty if it has none. */
export function errorCode(error: unknown) {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''
}

export function toError(thrown: unknown) {
  return thrown instanceof Error ? thrown : new Error(String(thrown))
}

export function errorMessage(error: unknown) {
  return error instanceof Error ? error.message : String(error)
}

/** Whether the operating system reported this error, rather than Node or this program. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error
}
