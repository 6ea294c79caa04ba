import { type Static, Type } from 'typebox'
import type { PetStatus as Status } from '../../domain/pets.ts'

/** Checked and decoded to a bigint by http/validation.ts; printed digit for digit by the serialiser. */
const Int64 = (options: object = {}) => Type.Unsafe<bigint>({ type: 'integer', format: 'int64', ...options })

export const PetStatus = Type.Unsafe<Status>({
  $id: 'PetStatus',
  type: 'string',
  enum: ['available', 'pending', 'sold'] satisfies Status[],
  description: 'Availability status.',
  examples: ['available'],
})

const StatusRef = Type.Unsafe<Status>(Type.Ref('PetStatus'))

// No control character, no half of a surrogate pair, and at least one visible character. Never published: only JavaScript
// has all of these properties, and other regex engines reject the whole document for it. The description states the rule.
const NAME_PATTERN =
  '^(?=[^\\p{Cc}]*?[^\\p{White_Space}\\p{Cf}\\p{Cc}\\p{Default_Ignorable_Code_Point}])[^\\p{Cc}\\p{Cs}]*$'

const newPetFields = {
  name: Type.String({
    minLength: 1,
    maxLength: 255,
    description:
      'The animal’s name: 1 to 255 characters (Unicode code points), at least one of them visible, none a control character.',
    examples: ['Rex'],
  }),
  categoryId: Int64({ description: 'Identifier of the category the animal belongs to.', examples: [7] }),
  status: Type.Optional(StatusRef),
}

export const NewPet = Type.Object(newPetFields, { $id: 'NewPet', description: 'An animal to add.' })
/** NewPet as requests are checked against it. */
export const CheckedNewPet = Type.Object(
  { ...newPetFields, name: Type.String({ ...newPetFields.name, pattern: NAME_PATTERN }) },
  { $id: 'NewPet' },
)
export const NewPetRef = Type.Unsafe<Static<typeof NewPet>>(Type.Ref('NewPet'))

export const Pet = Type.Object(
  {
    id: Int64({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'Unique identifier assigned by the service on creation.',
      examples: [1],
    }),
    ...newPetFields,
  },
  { $id: 'Pet', description: 'An animal in the store.' },
)

export const Pets = Type.Array(Type.Ref('Pet'), { $id: 'Pets', description: 'Animals, in a stable order.' })

export const ListPetsQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 20,
      description: 'Maximum number of animals returned.',
      examples: [50],
    }),
  ),
  status: Type.Optional(
    Type.Unsafe<Status>({
      ...PetStatus,
      $id: undefined,
      description: 'Returns only animals with this availability status.',
      examples: ['sold'],
    }),
  ),
  cursor: Type.Optional(
    Type.String({
      description: 'Where the page starts. Opaque: take it from the Link header of the previous page.',
      examples: ['AQAAAAAAAAAC'],
    }),
  ),
  id: Type.Optional(
    Type.Array(Int64(), {
      minItems: 1,
      maxItems: 100,
      description: 'Returns only the animals with these ids, comma-separated. Replaces getPet.',
      examples: [[1, 2]],
      style: 'form',
      explode: false,
      'x-stability': 'beta',
      'x-stability-level': 'beta',
    }),
  ),
})

export const GetPetParams = Type.Object({
  petId: Int64({ description: 'Identifier of the animal to retrieve.', examples: [1] }),
})
