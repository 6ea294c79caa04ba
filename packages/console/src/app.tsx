import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { feedState } from './feed.ts'
import { Frame } from './frame.tsx'
import { later, laterError, loadLater } from './later-load.ts'
import { go, href, place, withQuery } from './router.ts'
import { HomeScreen } from './screens/home.tsx'
import { PetsScreen } from './screens/pets/pets.tsx'
import { SignIn, SignInAgain } from './screens/sign-in.tsx'
import { missingScope, type Section, sectionOf } from './sections.ts'
import { can, state } from './session.ts'
import { texts } from './texts.ts'
import { NoScope } from './ui/contact.tsx'
import { Later } from './ui/later.tsx'
import { Empty, Screen, Skeleton } from './ui/screen.tsx'
import { useShortcuts } from './ui/shortcuts.ts'

/** The others are in later.tsx and manage.tsx. */
const SCREENS: Partial<Record<Section, ComponentType>> = {
  home: HomeScreen,
  pets: PetsScreen,
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
      <Adding />
      {state.value === 'ended' && <SignInAgain />}
    </>
  )
}

/** The form to add a pet, over whichever screen asks for it in its address. */
function Adding() {
  useShortcuts({ c: () => can('pets:write') && go(withQuery({ add: '1' }), { replace: true }) })
  if (!place.value.query.has('add')) return null
  const close = () => go(withQuery({ add: undefined }), { replace: true })
  return <Later onClose={close} show={({ AddPet }) => <AddPet onClose={close} />} />
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
  const screens: Partial<Record<Section, ComponentType>> = {
    ...later.value?.LATER_SCREENS,
    ...later.value?.MANAGE_SCREENS,
  }
  return screens[section]
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
