import { can } from './session.ts'
import type { IconName } from './ui/icon.tsx'

/** In the order in which they are shown, with the scope that the key needs to open each. The path of each is its name, and / for home. */
const SCOPES = {
  home: undefined,
  pets: 'pets:read',
  orders: 'orders:read',
  activity: 'events:read',
  categories: 'pets:read',
  webhooks: 'webhooks:manage',
  people: 'keys:read',
  status: 'status:read',
  key: undefined,
} as const satisfies Partial<Record<IconName, string | undefined>>

export type Section = keyof typeof SCOPES
const SECTIONS = Object.keys(SCOPES) as readonly Section[]

export const pathOf = (section: Section) => (section === 'home' ? '/' : `/${section}`)

/** The section that a path belongs to; undefined if there is none. */
export const sectionOf = (path: string) => SECTIONS.find((section) => pathOf(section) === path)

/** The scope that the key lacks to open a section. */
export function missingScope(section: Section) {
  const scope = SCOPES[section]
  return scope === undefined || can(scope) ? undefined : scope
}

/** A section that the key can't open is not offered. */
export const openSections = () => SECTIONS.filter((section) => missingScope(section) === undefined)
