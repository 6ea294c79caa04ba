// With the texts of what is in manage.tsx.

import { categories } from './texts/categories.ts'
import { key } from './texts/key.ts'
import { people } from './texts/people.ts'
import { status } from './texts/status.ts'
import { webhooks } from './texts/webhooks.ts'
import { texts as first, translated } from './texts.ts'

export const texts = { ...first, ...translated({ webhooks, categories, people, status, key }) }
