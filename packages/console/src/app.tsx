import type { ComponentType } from 'preact'
import { Frame } from './frame.tsx'
import { href, place } from './router.ts'
import { ActivityScreen } from './screens/activity.tsx'
import { HomeScreen } from './screens/home.tsx'
import { OwnKeyScreen } from './screens/key.tsx'
import { OrdersScreen } from './screens/orders.tsx'
import { AddPet } from './screens/pets/add-pet.tsx'
import { PetsScreen } from './screens/pets/pets.tsx'
import { SignIn, SignInAgain } from './screens/sign-in.tsx'
import { WebhooksScreen } from './screens/webhooks.tsx'
import { type Section, sectionOf } from './sections.ts'
import { state } from './session.ts'
import { texts } from './texts.ts'
import { Screen } from './ui/screen.tsx'

const SCREENS: Record<Section, ComponentType> = {
  home: HomeScreen,
  pets: PetsScreen,
  orders: OrdersScreen,
  activity: ActivityScreen,
  webhooks: WebhooksScreen,
  key: OwnKeyScreen,
}

export function App() {
  const section = sectionOf(place.value.path)
  if (state.value === 'unknown') return null
  if (state.value === 'signedOut') return <SignIn />
  const Current = section ? SCREENS[section] : NotFound
  return (
    <>
      <Frame section={section}>
        <Current key={section} />
      </Frame>
      <AddPet />
      {state.value === 'ended' && <SignInAgain />}
    </>
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
