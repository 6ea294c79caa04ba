// Every text of the console; texts/ has one file per screen. Another language would be another object of this shape.
import { cutting } from './cut.ts'
import { isolating } from './isolate.ts'
import { pseudo } from './pseudo.ts'
import { activity, sentence } from './texts/activity.ts'
import { categories } from './texts/categories.ts'
import { common } from './texts/common.ts'
import { frame, shortcuts } from './texts/frame.ts'
import { home } from './texts/home.ts'
import { key } from './texts/key.ts'
import { orders } from './texts/orders.ts'
import { palette } from './texts/palette.ts'
import { people } from './texts/people.ts'
import { history, panel } from './texts/pet.ts'
import { pets } from './texts/pets.ts'
import { deal } from './texts/pets-deal.ts'
import { signIn } from './texts/sign-in.ts'
import { status } from './texts/status.ts'
import { webhooks } from './texts/webhooks.ts'

const english = isolating({
  common,
  frame,
  palette,
  shortcuts,
  signIn,
  home,
  pets: { ...pets, panel, history, deal },
  orders,
  activity,
  sentence,
  webhooks,
  categories,
  people,
  status,
  key,
})

/** A name is whole in its title and its field. */
const LONGEST_NAME = 60
const { panel: panelTexts, deal: dealTexts, ...petTexts } = english.pets
const all = { ...english, pets: { ...petTexts, ...cutting({ panel: panelTexts, deal: dealTexts }, LONGEST_NAME) } }

/** Where tests choose the pseudo-locale. */
const LOCALE = 'petstore.locale'

export const texts = localStorage.getItem(LOCALE) === 'pseudo' ? pseudo(all) : all
