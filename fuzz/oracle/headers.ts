import type { Request } from '../request.ts'

/** The values of all headers of this name. */
export function headers(request: Request, name: string) {
  return request.headers.filter(([header]) => header.toLowerCase() === name).map(([, value]) => value)
}
