import type { Clause } from './clause.ts'
import { AUTHENTICATION } from './clauses/authentication.ts'
import { BODIES } from './clauses/bodies.ts'
import { CREATE } from './clauses/create.ts'
import { DEPRECATION } from './clauses/deprecation.ts'
import { DEPRECATIONS } from './clauses/deprecations.ts'
import { DOCUMENT } from './clauses/document.ts'
import { ERRORS } from './clauses/errors.ts'
import { FRAMING } from './clauses/framing.ts'
import { GET } from './clauses/get.ts'
import { HEADERS } from './clauses/headers.ts'
import { IDEMPOTENCY } from './clauses/idempotency.ts'
import { INT64 } from './clauses/int64.ts'
import { KEYS } from './clauses/keys.ts'
import { LIST } from './clauses/list.ts'
import { LIST_PARAMETERS } from './clauses/list-parameters.ts'
import { MEDIA_TYPES } from './clauses/media-types.ts'
import { ORDER } from './clauses/order.ts'
import { PAGINATION } from './clauses/pagination.ts'
import { ROUTES } from './clauses/routes.ts'
import { STORE } from './clauses/store/store.ts'

/** Every clause there is, in the order in which they are reported. */
export const CONTRACT: Clause[] = [
  ...AUTHENTICATION,
  ...LIST,
  ...LIST_PARAMETERS,
  ...PAGINATION,
  ...CREATE,
  ...IDEMPOTENCY,
  ...BODIES,
  ...MEDIA_TYPES,
  ...INT64,
  ...GET,
  ...DEPRECATION,
  ...KEYS,
  ...DEPRECATIONS,
  ...ERRORS,
  ...ORDER,
  ...ROUTES,
  ...DOCUMENT,
  ...HEADERS,
  ...FRAMING,
  ...STORE,
]
