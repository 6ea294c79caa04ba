import { effect } from '@preact/signals'
import { render } from 'preact'
import { App } from './app.tsx'
import { feedState, startFeed } from './feed.ts'
import { watchInput } from './idle.ts'
import { loadLater } from './later-load.ts'
import { isSandbox, openSession } from './session.ts'
import { ignoreHeldEnter } from './ui/shortcuts.ts'
// Of both later scripts, which share nothing but what is here.
import './ui/fact.tsx'
import './ui/pane.tsx'

const root = document.getElementById('app')
if (root) {
  void openSession()
  render(<App />, root)
  watchInput()
  ignoreHeldEnter()
  startFeed()
  effect(() => {
    document.documentElement.classList.toggle('sandbox', isSandbox.value)
  })
  // The first screen is there by then.
  effect(() => {
    if (feedState.value !== 'connecting') void loadLater()
  })
}
