import type { PetstoreEvent } from '@petstore/client'
import { categoryLabel } from '../category-names.ts'
import { wordsOf } from '../event-words.ts'
import { whoIs } from '../people.ts'
import { href } from '../router.ts'
import { texts } from '../texts.ts'

const { sentence: t } = texts

const NAMES = {
  category: categoryLabel,
  status: (status: string | null | undefined) =>
    texts.pets.status[(status ?? 'none') as keyof typeof texts.pets.status].toLowerCase(),
}

interface SentenceProps {
  event: PetstoreEvent
  /** In the history of the pet, which it calls "it". */
  isOwn?: boolean
  /** With the id beside the name, where pets of the same name may be. */
  hasId?: boolean
}

/** Who did what: "Ben renamed Moe to Big Moe". */
export function Sentence({ event, isOwn = false, hasId = false }: SentenceProps) {
  const { template, values } = wordsOf(event, t, NAMES)
  return (
    <span class="sentence">
      {(isOwn && template === t.changedFields ? t.changedOwn : template).split(/\{(\w+)\}/).map((part, place) => {
        // Texts and the names of places, in turn.
        if (place % 2 === 0) return part
        if (part === 'who')
          return (
            <b key={part} dir="auto">
              {whoIs(event.data.keyId)}
            </b>
          )
        const value = values[part as keyof typeof values]
        // A name that it no longer has is news in its own history too.
        if (part === 'pet' && isOwn) return value === event.data.pet?.name ? t.it : <bdi key={part}>{value}</bdi>
        if (part === 'pet') return <PetName key={part} event={event} name={value} hasId={hasId} />
        return <bdi key={part}>{value}</bdi>
      })}
    </span>
  )
}

function PetName({ event: { data }, name, hasId }: SentenceProps & { name: string | undefined }) {
  if (!data.pet) return <bdi>{name}</bdi>
  return (
    <>
      <a href={href(`/pets?pet=${data.pet.id}`)} dir="auto">
        {name}
      </a>
      {hasId && <span class="id"> {String(data.pet.id)}</span>}
    </>
  )
}
