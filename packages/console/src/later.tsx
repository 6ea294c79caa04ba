// What no day begins with, in a script of its own: see later-load.ts.
import { ActivityScreen } from './screens/activity.tsx'
import { CategoriesScreen } from './screens/categories.tsx'
import { OwnKeyScreen } from './screens/key.tsx'
import { PeopleScreen } from './screens/people.tsx'
import { StatusScreen } from './screens/status.tsx'
import { WebhooksScreen } from './screens/webhooks.tsx'

export { Bulk, BulkOutcome } from './screens/pets/bulk.tsx'
export { Export } from './screens/pets/export.tsx'
export { Help } from './ui/help.tsx'

export const LATER_SCREENS = {
  activity: ActivityScreen,
  categories: CategoriesScreen,
  webhooks: WebhooksScreen,
  people: PeopleScreen,
  status: StatusScreen,
  key: OwnKeyScreen,
}
