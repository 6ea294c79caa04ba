import { type Json, Literal } from './json.ts'

export interface NewPet {
  name: string
  categoryId: bigint
  status?: string
}

export interface Pet extends NewPet {
  id: bigint
}

const FIELDS = ['id', 'name', 'categoryId', 'status']
const LARGEST_ID = 2n ** 53n

/** The NewPet that this value is; undefined when it is none. */
export function asNewPet(value: Json | undefined): NewPet | undefined {
  if (!(value instanceof Map)) return undefined
  const name = value.get('name')
  const categoryId = int64(value.get('categoryId'))
  if (typeof name !== 'string' || categoryId === undefined) return undefined
  const status = value.get('status')
  if (status === undefined) return { name, categoryId }
  return typeof status === 'string' ? { name, categoryId, status } : undefined
}

/** The Pet that a response shows; undefined when a field is missing, too many, or not in the one form it is written in. */
export function asPet(value: Json, more: string[] = []): Pet | undefined {
  const pet = asNewPet(value)
  if (!pet || !(value instanceof Map)) return undefined
  const id = value.get('id')
  const categoryId = value.get('categoryId')
  if (!(id instanceof Literal) || !(categoryId instanceof Literal)) return undefined
  if (![...value.keys()].every((key) => FIELDS.includes(key) || more.includes(key))) return undefined
  const number = canonicalInt64(id.text)
  if (number === undefined || number < 1n || number >= LARGEST_ID) return undefined
  return categoryId.text === String(pet.categoryId) ? { id: number, ...pet } : undefined
}

export function samePet(a: NewPet, b: NewPet) {
  return a.name === b.name && a.categoryId === b.categoryId && a.status === b.status
}

/** An int64 spelled in its one canonical form, as a path or a query has it. */
export function canonicalInt64(text: string): bigint | undefined {
  if (text.length > 20 || !/^-?[0-9]+$/.test(text)) return undefined
  const value = BigInt(text)
  return String(value) === text ? inRange(value) : undefined
}

/** A JSON number that is worth exactly an int64: the digits, moved by the exponent, leave nothing after the point. */
export function int64(value: Json | undefined): bigint | undefined {
  if (!(value instanceof Literal) || value.text.length > 64) return undefined
  const [mantissa = '', power = '0'] = value.text.toLowerCase().split('e')
  const exponent = BigInt(power.replace('+', ''))
  if (exponent > 64n || exponent < -64n) return undefined
  const [whole = '', fraction = ''] = mantissa.split('.')
  const digits = BigInt(whole.replace('-', '') + fraction)
  const places = exponent - BigInt(fraction.length)
  const scale = 10n ** (places < 0n ? -places : places)
  if (places < 0n && digits % scale !== 0n) return undefined
  const size = places < 0n ? digits / scale : digits * scale
  return inRange(whole.startsWith('-') ? -size : size)
}

function inRange(value: bigint) {
  return BigInt.asIntN(64, value) === value ? value : undefined
}
