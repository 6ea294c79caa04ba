// What is looked after now and then: see later-load.ts. It shares nothing with later.tsx but what the first script has.
import { CategoriesScreen } from './screens/categories.tsx'
import { OwnKeyScreen } from './screens/key.tsx'
import { PeopleScreen } from './screens/people.tsx'
import { StatusScreen } from './screens/status.tsx'
import { WebhooksScreen } from './screens/webhooks.tsx'

export const MANAGE_SCREENS = {
  categories: CategoriesScreen,
  webhooks: WebhooksScreen,
  people: PeopleScreen,
  status: StatusScreen,
  key: OwnKeyScreen,
}
