import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { feedState } from './feed.ts'
import { Frame } from './frame.tsx'
import { later, laterError, loadLater } from './later-load.ts'
import { href, place } from './router.ts'
import { HomeScreen } from './screens/home.tsx'
import { OrdersScreen } from './screens/orders.tsx'
import { AddPet } from './screens/pets/add-pet.tsx'
import { PetsScreen } from './screens/pets/pets.tsx'
import { SignIn, SignInAgain } from './screens/sign-in.tsx'
import { missingScope, type Section, sectionOf } from './sections.ts'
import { state } from './session.ts'
import { texts } from './texts.ts'
import { NoScope } from './ui/contact.tsx'
import { Empty, Screen, Skeleton } from './ui/screen.tsx'

/** The others are in later.tsx. */
const SCREENS: Partial<Record<Section, ComponentType>> = {
  home: HomeScreen,
  pets: PetsScreen,
  orders: OrdersScreen,
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
  const Current = SCREENS[section] ?? laterScreen(section)
  if (scope === undefined) return Current ? <Current /> : <Loading section={section} />
  return (
    <Screen title={texts.frame.section[section]}>
      <Empty title={texts.frame.noAccess} text={<NoScope scope={scope} />} />
    </Screen>
  )
}

function laterScreen(section: Section) {
  const screens: Partial<Record<Section, ComponentType>> | undefined = later.value?.LATER_SCREENS
  return screens?.[section]
}

/** Until the script of the section is there. */
function Loading({ section }: { section: Section }) {
  // Also when the service is back.
  useEffect(() => void loadLater(), [feedState.value])
  return (
    <Screen title={texts.frame.section[section]}>
      {laterError.value === undefined ? (
        <Skeleton rows={8} />
      ) : (
        <div class="notice warn" role="alert">
          <span>{texts.frame.notLoaded}</span>
          <button type="button" onClick={() => void loadLater()}>
            {texts.common.tryAgain}
          </button>
        </div>
      )}
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
