import { signal } from '@preact/signals'

/** As in the styles: a phone, or a page that is enlarged a lot. */
const query = matchMedia('(max-width: 56rem)')

/** Whether there is room for one column only. */
export const isNarrow = signal(query.matches)

query.addEventListener('change', ({ matches }) => {
  isNarrow.value = matches
})
