// What comes after Home and the pets: see later-load.ts. It shares nothing with manage.tsx but what the first script has.
import { ActivityScreen } from './screens/activity.tsx'
import { OrdersScreen } from './screens/orders.tsx'

export { AddPet } from './screens/pets/add-pet.tsx'
export { Bulk, BulkOutcome } from './screens/pets/bulk.tsx'
export { Export } from './screens/pets/export.tsx'
export { Help } from './ui/help.tsx'

export const LATER_SCREENS = { orders: OrdersScreen, activity: ActivityScreen }
