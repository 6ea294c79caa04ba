// The texts of the console; texts/ has one file per screen. Another language would be other objects of these shapes. What only later
// scripts say is in later-texts.ts and manage-texts.ts.
import { cutting } from './cut.ts'
import { isolating } from './isolate.ts'
import { pseudo } from './pseudo.ts'
import { eventTypes, sentence } from './texts/activity.ts'
import { common } from './texts/common.ts'
import { frame } from './texts/frame.ts'
import { home } from './texts/home.ts'
import { orders } from './texts/orders.ts'
import { palette } from './texts/palette.ts'
import { history, panel } from './texts/pet.ts'
import { pets } from './texts/pets.ts'
import { deal } from './texts/pets-deal.ts'
import { signIn } from './texts/sign-in.ts'

const english = isolating({
  common,
  frame,
  palette,
  signIn,
  home,
  pets: { ...pets, panel, history, deal },
  orders,
  eventTypes,
  sentence,
})

/** A name is whole in its title and its field. */
const LONGEST_NAME = 60
const { panel: panelTexts, deal: dealTexts, ...petTexts } = english.pets
const all = { ...english, pets: { ...petTexts, ...cutting({ panel: panelTexts, deal: dealTexts }, LONGEST_NAME) } }

/** Where tests choose the pseudo-locale. */
const LOCALE = 'petstore.locale'

const inLocale = <Texts>(known: Texts) => (localStorage.getItem(LOCALE) === 'pseudo' ? pseudo(known) : known)

export const texts = inLocale(all)

/** Other texts, as these are: in the language of the page, and with their values isolated. */
export const translated = <Texts>(others: Texts) => inLocale(isolating(others))
