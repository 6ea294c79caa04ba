// With the texts of what is in later.tsx.

import { activity } from './texts/activity.ts'
import { exporting } from './texts/export.ts'
import { shortcuts } from './texts/frame.ts'
import { bulk } from './texts/pets.ts'
import { texts as first, translated } from './texts.ts'

export const texts = { ...first, ...translated({ activity, exporting, shortcuts, bulk }) }
