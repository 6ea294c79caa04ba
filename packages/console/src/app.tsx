import type { ComponentType } from 'preact'
import { Frame } from './frame.tsx'
import { href, place } from './router.ts'
import { ActivityScreen } from './screens/activity.tsx'
import { CategoriesScreen } from './screens/categories.tsx'
import { HomeScreen } from './screens/home.tsx'
import { OwnKeyScreen } from './screens/key.tsx'
import { OrdersScreen } from './screens/orders.tsx'
import { PeopleScreen } from './screens/people.tsx'
import { AddPet } from './screens/pets/add-pet.tsx'
import { PetsScreen } from './screens/pets/pets.tsx'
import { SignIn, SignInAgain } from './screens/sign-in.tsx'
import { StatusScreen } from './screens/status.tsx'
import { WebhooksScreen } from './screens/webhooks.tsx'
import { missingScope, type Section, sectionOf } from './sections.ts'
import { state } from './session.ts'
import { texts } from './texts.ts'
import { NoScope } from './ui/contact.tsx'
import { Empty, Screen } from './ui/screen.tsx'

const SCREENS: Record<Section, ComponentType> = {
  home: HomeScreen,
  pets: PetsScreen,
  orders: OrdersScreen,
  activity: ActivityScreen,
  categories: CategoriesScreen,
  webhooks: WebhooksScreen,
  people: PeopleScreen,
  status: StatusScreen,
  key: OwnKeyScreen,
}

export function App() {
  const section = sectionOf(place.value.path)
  if (state.value === 'unknown') return null
  if (state.value === 'signedOut') return <SignIn />
  return (
    <>
      <Frame section={section}>
        <Shown key={section} section={section} />
      </Frame>
      <AddPet />
      {state.value === 'ended' && <SignInAgain />}
    </>
  )
}

function Shown({ section }: { section: Section | undefined }) {
  if (!section) return <NotFound />
  const scope = missingScope(section)
  const Current = SCREENS[section]
  if (scope === undefined) return <Current />
  return (
    <Screen title={texts.frame.section[section]}>
      <Empty title={texts.frame.noAccess} text={<NoScope scope={scope} />} />
    </Screen>
  )
}

function NotFound() {
  return (
    <Screen title={texts.frame.notFound}>
      <p>{texts.frame.notFoundLead}</p>
      <p>
        <a href={href('/')}>{texts.frame.toHome}</a>
      </p>
    </Screen>
  )
}
