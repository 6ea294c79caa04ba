/** The pet whose change an event describes, from the first seven bytes of its id; undefined for events of no pet, and other texts. */
export function petOfEvent(id: string): bigint | undefined {
  const [, text] = /^evt_([\w-]{28})$/.exec(id) ?? []
  if (text === undefined) return undefined
  const bytes = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
  let pet = 0n
  for (let place = 0; place < PET_BYTES; place++) pet = pet * 256n + BigInt(bytes.charCodeAt(place))
  return pet === 0n ? undefined : pet
}

const PET_BYTES = 7
