import { test } from 'node:test'
import { showEach } from '../../support/console-axe.ts'
import { startConsole } from '../../support/console-browser.ts'
import { addLongNamed, fillStore } from '../../support/console-data.ts'
import { DETAILS, SECTIONS, STATES } from '../../support/console-screens.ts'

// A full store; accessibility-without.ts has what is shown where something is missing.

const store = await startConsole()
await fillStore(store.pool, 'key_000000000001')
await addLongNamed(store.pool)

for (const [what, screens] of [
  ['the sections', SECTIONS],
  ['the panels, dialogs and filters', DETAILS],
  ['the faults and rejected changes', STATES],
] as const)
  test(`axe-core finds nothing in ${what} of a full store`, async () => {
    await using tab = await store.open('/')
    await showEach(tab.page, store.address, screens)
  })
