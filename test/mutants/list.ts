import { CONSOLE_MUTANTS } from './console.ts'
import { LATER_MUTANTS } from './console-later.ts'
import { CONSOLE_MANAGE_MUTANTS } from './console-manage.ts'
import { PANEL_MUTANTS } from './console-panel.ts'
import { CONSOLE_PETLIST_MUTANTS } from './console-petlist.ts'
import { SCREEN_MUTANTS } from './console-screens.ts'
import { DELIVERY_MUTANTS } from './deliveries.ts'
import { EVENT_MUTANTS } from './events.ts'
import { FINDING_MUTANTS } from './finding.ts'
import type { Mutant } from './mutant.ts'
import { PET_MUTANTS } from './pets.ts'
import { STORE_MUTANTS } from './store.ts'
import { SANDBOX_MUTANTS } from './stores.ts'
import { WEBHOOK_MUTANTS } from './webhooks.ts'

export const MUTANTS: Mutant[] = [
  ...PET_MUTANTS,
  ...STORE_MUTANTS,
  ...SANDBOX_MUTANTS,
  ...FINDING_MUTANTS,
  ...EVENT_MUTANTS,
  ...WEBHOOK_MUTANTS,
  ...DELIVERY_MUTANTS,
  ...CONSOLE_MUTANTS,
  ...SCREEN_MUTANTS,
  ...CONSOLE_MANAGE_MUTANTS,
  ...LATER_MUTANTS,
  ...CONSOLE_PETLIST_MUTANTS,
  ...PANEL_MUTANTS,
]
