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

/** A name is whole in its title and its field. */
const LONGEST_NAME = 60

const english = {
  common,
  frame,
  palette,
  signIn,
  home,
  pets: { ...pets, history, ...cutting({ panel, deal }, LONGEST_NAME) },
  orders,
  eventTypes,
  sentence,
}

/** Where tests choose the pseudo-locale. */
const LOCALE = 'petstore.locale'

/** These texts in the language of the page, with each value in them isolated. */
export const translated = <Texts>(texts: Texts) =>
  isolating(localStorage.getItem(LOCALE) === 'pseudo' ? pseudo(texts) : texts)

export const texts = translated(english)
