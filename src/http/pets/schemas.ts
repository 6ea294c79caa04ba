import { Type } from 'typebox'
import type { Sort, PetStatus as Status, View } from '../../domain/types/pet.ts'
import { Cursor } from '../wire/pagination.ts'
import { BETA, Int64, VisibleText } from '../wire/schemas.ts'
import { COUNTS_BY_STATUS } from './examples.ts'

const STATUSES: Status[] = ['available', 'pending', 'sold']

export const PetStatus = Type.Unsafe<Status>({
  $id: 'PetStatus',
  type: 'string',
  enum: STATUSES,
  description: 'Availability status.',
  examples: ['available'],
})

const StatusRef = Type.Unsafe<Status>(Type.Ref('PetStatus'))

const newPetFields = {
  name: VisibleText({
    minLength: 1,
    maxLength: 255,
    description:
      'The pet’s name: 1 to 255 characters (Unicode code points), at least one of them visible, none a control character.',
    examples: ['Rex'],
  }),
  categoryId: Int64({ description: 'Identifier of the category the pet belongs to.', examples: [7] }),
  status: Type.Optional(StatusRef),
}

export const NewPet = Type.Object(newPetFields, { $id: 'NewPet', description: 'A pet to add.' })

const petFields = {
  id: Int64({
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'Unique identifier assigned by the service on creation.',
    examples: [1],
  }),
  ...newPetFields,
}

export const Pet = Type.Object(petFields, { $id: 'Pet', description: 'A pet in the store.' })

export const PetRecord = Type.Object(
  {
    ...petFields,
    version: Int64({
      minimum: 1,
      description: 'The version of the pet: 1 when it is added, one more with each change.',
      examples: [1],
    }),
    orderId: Type.Optional(
      Type.String({
        description: 'The order that holds the pet; absent if there is none.',
        examples: ['ord_AAAAAAAAAjQ8diTHYAAF'],
      }),
    ),
  },
  { $id: 'PetRecord', description: 'A pet with its version, and the order that holds it.' },
)

export const PetPatch = Type.Object(
  {
    name: Type.Optional(newPetFields.name),
    categoryId: Type.Optional(newPetFields.categoryId),
    status: Type.Optional(
      Type.Unsafe<Status | null>({
        type: ['string', 'null'],
        enum: [...STATUSES, null],
        description: 'Availability status; `null` removes it.',
        examples: ['available'],
      }),
    ),
  },
  {
    $id: 'PetPatch',
    minProperties: 1,
    description:
      'What to change: at least one of the fields of a pet. The others stay as they are (a JSON merge patch, RFC 7396).',
  },
)

export const Pets = Type.Array(Type.Ref('Pet'), { $id: 'Pets', description: 'Pets, in a stable order.' })

/** The pets of a page that is asked for without `limit`. */
export const DEFAULT_LIMIT = 20

export const ListPetsQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: DEFAULT_LIMIT,
      description: 'Maximum number of pets returned.',
      examples: [50],
    }),
  ),
  status: Type.Optional(
    Type.Unsafe<Status>({
      ...PetStatus,
      $id: undefined,
      description: 'Returns only pets with this availability status.',
      examples: ['available'],
    }),
  ),
  cursor: Type.Optional(Cursor),
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'Returns only the pets whose name has, for each of these words, a word that begins with it: `mo` finds Momo and Big Moe. Case and accents do not count. 1 to 8 words, in any script, separated by spaces. The order is that of the words found, then of ids. A page may be short or empty although there are more: follow its `Link`. One page looks at 1,000 words at most. Not together with `id` or `sort`.',
      examples: ['mo'],
      ...BETA,
    }),
  ),
  id: Type.Optional(
    Type.Array(Int64(), {
      minItems: 1,
      maxItems: 100,
      description: 'Returns only the pets with these ids, comma-separated. Replaces getPet.',
      examples: [[1, 2]],
      style: 'form',
      explode: false,
    }),
  ),
  categoryId: Type.Optional(Int64({ description: 'Returns only the pets of this category.', examples: [7] })),
  sort: Type.Optional(
    Type.Unsafe<Sort>({
      type: 'string',
      enum: ['oldest', 'newest'] satisfies Sort[],
      default: 'oldest',
      description:
        'The order of the walk: by ascending id (`oldest`) or by descending id (`newest`). A cursor continues only the walk it comes from.',
      examples: ['newest'],
    }),
  ),
  view: Type.Optional(
    Type.Unsafe<View>({
      type: 'string',
      enum: ['basic', 'full'] satisfies View[],
      default: 'basic',
      description:
        'What is returned of each pet: a `Pet` (`basic`), or a `PetRecord`, which has a `version` and the `orderId` of an order that holds it (`full`).',
      examples: ['full'],
    }),
  ),
})

export function notCountedBy(name: string) {
  return `Pets are counted by \`status\` and \`categoryId\`, not by \`${name}\`.`
}

export const CountPetsQuery = Type.Object(
  {
    status: Type.Optional(
      Type.Unsafe<Status>({
        ...PetStatus,
        $id: undefined,
        description: 'Counts only pets with this availability status.',
        examples: ['available'],
      }),
    ),
    categoryId: Type.Optional(Int64({ description: 'Counts only the pets of this category.', examples: [7] })),
  },
  // The list takes these. A client that gets another count than that of its list would not notice.
  { rejected: { id: notCountedBy('id'), name: notCountedBy('name') } },
)

export const PetCount = Type.Object(
  {
    count: Type.Integer({
      minimum: 0,
      maximum: 1_000,
      description: 'How many pets match: 1,000 at most.',
      examples: [2],
    }),
    isMore: Type.Boolean({
      description: 'Whether counting stopped at 1,000: `count` then stands for 1,000 or more.',
      examples: [false],
    }),
  },
  { $id: 'PetCount', description: 'How many pets match, up to 1,000.', ...BETA },
)

function notCountedEachBy(name: string) {
  return `These counts are of all pets of a category, one for each status. To count by \`${name}\` is not offered.`
}

const USE_COUNT = 'These counts are for each status already. To count the pets of one, use `GET /pets/count`.'

export const CountPetsByStatusQuery = Type.Object(
  { categoryId: Int64({ description: 'The category whose pets are counted.', examples: [7] }) },
  { rejected: { id: notCountedEachBy('id'), name: notCountedEachBy('name'), status: USE_COUNT } },
)

const countOf = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: 1_000, description, examples: [example] })
const { available, pending, sold, none } = COUNTS_BY_STATUS.category

export const PetCounts = Type.Object(
  {
    available: countOf('How many are `available`.', available),
    pending: countOf('How many are `pending`.', pending),
    sold: countOf('How many are `sold`.', sold),
    none: countOf('How many have no status.', none),
  },
  {
    $id: 'PetCounts',
    description: 'How many pets a category has of each status. Counting stops at 1,000: 1000 stands for 1,000 or more.',
    ...BETA,
  },
)
