import { render } from 'preact'
import { App } from './app.tsx'
import { startFeed } from './feed.ts'
import { watchInput } from './idle.ts'
import { openSession } from './session.ts'

const root = document.getElementById('app')
if (root) {
  void openSession()
  render(<App />, root)
  watchInput()
  startFeed()
}
