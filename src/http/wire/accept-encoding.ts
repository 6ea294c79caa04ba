// More than browsers send. The header has room for thousands.
const MAX_CODINGS = 8

/** The first of the offered codings that the client accepts; undefined where it accepts none of them. */
export function acceptedCoding<Coding extends string>(header = '', offered: Iterable<Coding>): Coding | undefined {
  const accepted = new Set(header.split(',', MAX_CODINGS).map(codingIn))
  for (const coding of offered) if (accepted.has(coding)) return coding
  return undefined
}

/** The coding that an element of the header accepts. */
function codingIn(element: string) {
  const [name = '', weight = ''] = element.split(';', 2)
  return /^\s*q=0(?:\.0*)?\s*$/i.test(weight) ? undefined : name.trim().toLowerCase()
}
