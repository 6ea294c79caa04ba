// With the texts of what is in later.tsx.

import { activity } from './texts/activity.ts'
import { categories } from './texts/categories.ts'
import { exporting } from './texts/export.ts'
import { shortcuts } from './texts/frame.ts'
import { key } from './texts/key.ts'
import { people } from './texts/people.ts'
import { bulk } from './texts/pets.ts'
import { status } from './texts/status.ts'
import { webhooks } from './texts/webhooks.ts'
import { texts as first, translated } from './texts.ts'

const english = { activity, webhooks, categories, people, status, key, exporting, shortcuts, bulk }

export const texts = { ...first, ...translated(english) }
