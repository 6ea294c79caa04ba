const PATHS = {
  activity: 'M2.5 10.5h3.2L8 5l4 10 2.2-4.5h3.3',
  arrow: 'M7 4h9v9M16 4L5 15',
  categories: 'M3.5 4.5v5l7.2 7.2 6-6L9.5 3.5h-5zM7 7h.01',
  check: 'M4.5 10.5l3.5 3.5 7.5-8',
  clock: 'M10 3.5a6.5 6.5 0 1 0 0 13 6.5 6.5 0 0 0 0-13zM10 6.5V10l2.3 1.6',
  close: 'M5 5l10 10M15 5L5 15',
  dark: 'M16 11.6A6.5 6.5 0 0 1 8.4 4 6.5 6.5 0 1 0 16 11.6z',
  dots: 'M4.5 10h.01M10 10h.01M15.5 10h.01',
  down: 'M5.5 8l4.5 4.5L14.5 8',
  help: 'M7.5 7.6a2.5 2.5 0 1 1 3.6 2.2c-.8.4-1.1.9-1.1 1.9M10 14.6v.2',
  home: 'M3.5 9L10 3.5 16.5 9v7.5h-4.7v-4.6H8.2v4.6H3.5z',
  key: 'M7 9.6a3.6 3.6 0 1 0 .01 0zM9.6 10.7l7-7M14 6.3l2.3 2.3M11.7 8.6l1.7 1.7',
  light:
    'M10 7a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM10 2v2M10 16v2M2 10h2M16 10h2M4.3 4.3l1.4 1.4M14.3 14.3l1.4 1.4M4.3 15.7l1.4-1.4M14.3 5.7l1.4-1.4',
  more: 'M3.5 6h13M3.5 10h13M3.5 14h13',
  orders: 'M5 3.5h10v13l-2.5-1.5L10 16.5 7.5 15 5 16.5zM7.8 7.5h4.4M7.8 10.5h4.4',
  people:
    'M7.6 10a2.7 2.7 0 1 0 0-5.4 2.7 2.7 0 0 0 0 5.4zM2.6 16c.4-2.6 2.4-3.9 5-3.9s4.6 1.3 5 3.9M12.6 4.9a2.5 2.5 0 0 1 0 4.8M14.7 12.4c1.5.6 2.4 1.8 2.7 3.6',
  pets: 'M10 10.3c-2.5 0-4.7 2.5-4.7 4.4 0 2.4 2.7 1.2 4.7 1.2s4.7 1.2 4.7-1.2c0-1.9-2.2-4.4-4.7-4.4zM4 8a1 1.3 0 1 0 .01 0zM7.7 3.9a1 1.4 0 1 0 .01 0zM12.3 3.9a1 1.4 0 1 0 .01 0zM16 8a1 1.3 0 1 0 .01 0z',
  plus: 'M10 4v12M4 10h12',
  search: 'M9 4a5 5 0 1 0 0 10A5 5 0 0 0 9 4zM12.6 12.6L16.5 16.5',
  status: 'M3.6 14.5a7 7 0 1 1 12.8 0M10 13l3.2-4.2',
  system: 'M3 5h14v9H3zM7.5 17h5',
  warn: 'M10 3.5l7 12.5H3zM10 8.5v3.6M10 14.2v.1',
  webhooks: 'M3 10h8.5M8.3 6.5l3.5 3.5-3.5 3.5M12.5 3.8h4v12.4h-4',
} as const

export type IconName = keyof typeof PATHS

/** In the colour of the text around it, which says what it means. */
export function Icon({ of, isSmall = false }: { of: IconName; isSmall?: boolean }) {
  return (
    <svg class={`icon i-${of}${isSmall ? ' small' : ''}`} viewBox="0 0 20 20" aria-hidden="true">
      <path d={PATHS[of]} />
    </svg>
  )
}
