import type { EventType, Pet } from '@petstore/client'
import { useEffect, useRef, useState } from 'preact/hooks'
import { explain } from '../api.ts'
import { dayText } from '../days.ts'
import { findPets } from '../find-pets.ts'
import { readInt64 } from '../int64.ts'
import { texts } from '../later-texts.ts'
import { isYou, nameOf, people, readPeople } from '../people.ts'
import { go, href, withQuery } from '../router.ts'
import { can } from '../session.ts'
import { Combobox } from '../ui/combobox.tsx'
import { Icon } from '../ui/icon.tsx'
import { EVENT_TYPES } from './events-list.ts'

const { activity: t, common } = texts
/** So many pets of a name are offered. */
const OFFERED = 8

interface FilterProps {
  type: EventType | undefined
  keyId: string | undefined
  pet: string
  day: string
}

const TYPES = EVENT_TYPES.map((value) => ({ value, label: texts.eventTypes[value] }))
const personOf = (id: string) => ({ value: id, label: isYou(id) ? common.you : nameOf(id) })

export function Filters({ type, keyId, pet, day }: FilterProps) {
  // Oneself first.
  const names = [...people.value.keys()].toSorted((a, b) => Number(isYou(b)) - Number(isYou(a)))
  return (
    <search class="event-filters">
      <div class="tools">
        <PetFilter key={pet} pet={pet} />
        <Combobox
          label={t.person}
          any={t.anyPerson}
          choices={names.map(personOf)}
          // In the address, and not among the names that are known so far.
          other={(id) => (id === keyId ? personOf(id) : undefined)}
          value={keyId}
          onOpen={() => void readPeople()}
          onChoose={(who) => go(withQuery({ who }))}
        />
        <Combobox
          label={t.type}
          any={t.allTypes}
          choices={TYPES}
          value={type}
          onChoose={(name) => go(withQuery({ type: name }))}
        />
        <input
          type="date"
          aria-label={t.day}
          title={t.day}
          max={dayText(new Date())}
          value={day}
          onChange={(event) => go(withQuery({ day: event.currentTarget.value }))}
        />
      </div>
      {(type ?? keyId ?? (pet || day)) && <a href={href('/activity')}>{t.showAll}</a>}
    </search>
  )
}

/** An id, or a name, of which several pets may be. */
function PetFilter({ pet }: { pet: string }) {
  const [typed, setTyped] = useState(pet)
  const [fault, setFault] = useState<string>()
  const [found, setFound] = useState<readonly Pet[]>([])
  const searching = useRef<AbortController>(undefined)
  const stop = () => searching.current?.abort()
  useEffect(() => stop, [])
  const type = (text: string) => {
    // What was found is of another name.
    stop()
    setFound([])
    setFault(undefined)
    setTyped(text)
  }
  const submit = async () => {
    const text = typed.trim()
    const id = readInt64(text)
    stop()
    setFault(undefined)
    if (text === pet) return
    if (text === '' || typeof id === 'bigint') return go(withQuery({ pet: text && String(id) }))
    if (id === 'outOfRange' || !can('pets:read')) return setFault(common.int64[id])
    searching.current = new AbortController()
    const { signal } = searching.current
    try {
      const { rows, next, isPartial } = await findPets({ name: text, signal }, OFFERED)
      const isAll = next === undefined && !isPartial
      const [only] = rows
      if (signal.aborted) return
      if (only && rows.length === 1 && isAll) go(withQuery({ pet: String(only.id) }))
      else if (only) setFound(rows)
      else setFault(isAll ? t.noPet(text) : `${texts.pets.noneFound(text)}. ${isPartial ? texts.pets.partial : ''}`)
    } catch (error) {
      if (!signal.aborted) setFault(explain(error))
    }
  }
  return (
    <div class="seek">
      <Icon of="search" isSmall />
      <input
        type="text"
        autocomplete="off"
        spellcheck={false}
        placeholder={t.petHint}
        aria-label={t.pet}
        aria-invalid={fault !== undefined}
        aria-describedby="pet-fault"
        value={typed}
        onInput={(event) => type(event.currentTarget.value)}
        onKeyDown={(event) => event.key === 'Enter' && !event.isComposing && void submit()}
        onBlur={() => readInt64(typed) !== 'malformed' && void submit()}
      />
      <p class="fault" id="pet-fault" role="alert">
        {fault}
      </p>
      {found.length > 0 && (
        <ul class="row" aria-label={t.whichPet}>
          {found.map(({ id, name }) => (
            <li key={id}>
              <a class="button" href={href(withQuery({ pet: String(id) }))}>
                <bdi class="one-line">{name}</bdi>
                <span class="id">{String(id)}</span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
