import type { Clause } from '../../clause.ts'
import { CATEGORY_NAMES } from './categories.ts'
import { CLOSE } from './close.ts'
import { CONDITIONS } from './conditions.ts'
import { DELETE } from './delete.ts'
import { DELIVERIES } from './deliveries.ts'
import { DELIVERIES_CHANGED } from './deliveries-changed.ts'
import { DELIVERIES_FAILED } from './deliveries-failed.ts'
import { DELIVERIES_RETRIED } from './deliveries-retried.ts'
import { STORE_DOCUMENT } from './document.ts'
import { EVENTS_FEED } from './events-feed.ts'
import { EVENTS_FORM } from './events-form.ts'
import { EVENTS_HISTORY } from './events-history.ts'
import { EVENTS_NEWEST } from './events-newest.ts'
import { EVENTS_RECORDED } from './events-recorded.ts'
import { EVENTS_REFUSED } from './events-refused.ts'
import { EVENTS_UNRECORDED } from './events-unrecorded.ts'
import { EVENTS_WAIT } from './events-wait.ts'
import { EXPIRY } from './expiry.ts'
import { FIND } from './find.ts'
import { KEYS_LISTED } from './keys.ts'
import { MISTAKES } from './mistakes.ts'
import { ONCE } from './once.ts'
import { ORDER_IDS } from './order-ids.ts'
import { ORDERS_BY_TIME } from './orders-by-time.ts'
import { ORDERS_LIST } from './orders-list.ts'
import { PET_COUNTS } from './pet-counts.ts'
import { PLACE } from './place.ts'
import { PLACE_BODIES } from './place-bodies.ts'
import { RACES } from './races.ts'
import { STORE_SCOPES } from './scopes.ts'
import { SEARCH } from './search.ts'
import { SEARCH_REFUSED } from './search-refused.ts'
import { UPDATE } from './update.ts'
import { UPDATE_REQUESTS } from './update-requests.ts'
import { UPDATE_STATUS } from './update-status.ts'
import { UPDATE_VALUES } from './update-values.ts'
import { VIEW } from './view.ts'
import { WEBHOOKS_WORK } from './webhooks.ts'
import { WEBHOOKS_KEYS } from './webhooks-keys.ts'
import { WEBHOOKS_NAMES } from './webhooks-names.ts'
import { WEBHOOKS_REQUESTS } from './webhooks-requests.ts'

/** What the published interface does not show: changing, deleting and finding pets, ordering them, the events of all that, and webhooks. */
export const STORE: Clause[] = [
  ...UPDATE,
  ...UPDATE_VALUES,
  ...UPDATE_STATUS,
  ...UPDATE_REQUESTS,
  ...CONDITIONS,
  ...RACES,
  ...DELETE,
  ...VIEW,
  ...FIND,
  ...SEARCH,
  ...SEARCH_REFUSED,
  ...CATEGORY_NAMES,
  ...PET_COUNTS,
  ...MISTAKES,
  ...PLACE,
  ...PLACE_BODIES,
  ...ONCE,
  ...CLOSE,
  ...EXPIRY,
  ...ORDERS_LIST,
  ...ORDERS_BY_TIME,
  ...ORDER_IDS,
  ...EVENTS_RECORDED,
  ...EVENTS_UNRECORDED,
  ...EVENTS_FEED,
  ...EVENTS_NEWEST,
  ...EVENTS_WAIT,
  ...EVENTS_REFUSED,
  ...EVENTS_HISTORY,
  ...EVENTS_FORM,
  ...DELIVERIES_CHANGED,
  ...DELIVERIES_FAILED,
  ...DELIVERIES_RETRIED,
  ...DELIVERIES,
  ...WEBHOOKS_WORK,
  ...WEBHOOKS_KEYS,
  ...WEBHOOKS_NAMES,
  ...WEBHOOKS_REQUESTS,
  ...KEYS_LISTED,
  ...STORE_SCOPES,
  ...STORE_DOCUMENT,
]
