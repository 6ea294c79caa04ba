import type { IconName } from './ui/icon.tsx'

/** In the order in which they are shown. The path of each is its name, and / for home. */
export const SECTIONS = ['home', 'pets', 'orders', 'activity', 'webhooks', 'key'] as const satisfies readonly IconName[]
export type Section = (typeof SECTIONS)[number]

export const pathOf = (section: Section) => (section === 'home' ? '/' : `/${section}`)

/** The section that a path belongs to; undefined if there is none. */
export const sectionOf = (path: string) => SECTIONS.find((section) => pathOf(section) === path)
