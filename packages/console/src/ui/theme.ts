import { effect, signal } from '@preact/signals'

export const THEMES = ['system', 'light', 'dark'] as const
export type Theme = (typeof THEMES)[number]

const STORED = 'petstore.theme'
const stored = localStorage.getItem(STORED)

export const theme = signal<Theme>(THEMES.find((name) => name === stored) ?? 'system')

effect(() => {
  document.documentElement.dataset['theme'] = theme.value
  localStorage.setItem(STORED, theme.value)
})

export function nextTheme() {
  theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length] ?? 'system'
}
