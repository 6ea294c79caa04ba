import { Type } from 'typebox'
import { Cursor } from '../wire/pagination.ts'
import { BETA, Int64, VisibleText } from '../wire/schemas.ts'
import { CURSOR, DOGS } from './examples.ts'

const newCategoryFields = {
  name: VisibleText({
    minLength: 1,
    maxLength: 100,
    description:
      'The name of the category: 1 to 100 characters (Unicode code points), at least one of them visible, none a control character. Several categories may have the same name.',
    examples: ['Dog'],
  }),
}

export const NewCategory = Type.Object(newCategoryFields, {
  $id: 'NewCategory',
  description: 'What a category is called.',
  ...BETA,
})

/** A line of an import. */
export const CategoryLine = Type.Object({ id: Int64(), ...newCategoryFields })

const count = (description: string, example: number) =>
  Type.Integer({ minimum: 0, maximum: 100, description, examples: [example] })

export const CategoryCounts = Type.Object(
  {
    available: count('How many are `available`.', DOGS.pets.available),
    pending: count('How many are `pending`.', DOGS.pets.pending),
    sold: count('How many are `sold`.', DOGS.pets.sold),
    none: count('How many have no status.', DOGS.pets.none),
  },
  {
    $id: 'CategoryCounts',
    description:
      'How many pets a category has of each status. Counting stops at 100: 100 stands for 100 or more. `GET /pets/count` counts further.',
    ...BETA,
  },
)

export const Category = Type.Object(
  {
    id: Int64({ description: 'The id of the category: the `categoryId` of its pets.', examples: [7] }),
    ...newCategoryFields,
    version: Int64({
      minimum: 1,
      description: 'The version of the record: 1 when it is added, one more with each change.',
      examples: [1],
    }),
    pets: Type.Optional(Type.Ref('CategoryCounts')),
  },
  { $id: 'Category', description: 'The record of a category, which gives it a name.', ...BETA },
)

export const Categories = Type.Array(Type.Ref('Category'), {
  $id: 'Categories',
  description: 'Categories with a name, by ascending id.',
  ...BETA,
})

export const ListCategoriesQuery = Type.Object({
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: 20,
      description: 'Maximum number of categories returned: at most 20 with `counts=true`.',
      examples: [20],
    }),
  ),
  cursor: Type.Optional(Type.Unsafe<string>({ ...Cursor, examples: [CURSOR] })),
  name: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 255,
      description:
        'Returns only categories whose name has all of these words or beginnings of words, 1 to 8 of them, in any case, with or without accents.',
      examples: ['do'],
    }),
  ),
  counts: Type.Optional(
    Type.Boolean({
      default: false,
      description:
        'Whether each category comes with `pets`: how many it has of each status, where 100 stands for 100 or more.',
      examples: [true],
    }),
  ),
})
