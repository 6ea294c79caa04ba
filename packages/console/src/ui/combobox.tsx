import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { texts } from '../texts.ts'
import { type Choice, isExact, narrow } from './choices.ts'
import { Icon } from './icon.tsx'

interface ComboboxProps {
  /** Its name for screen readers, unless `id` is that of an input with a `<label>`. */
  label: string
  choices: readonly Choice[]
  /** The value of a choice, also of one that `other` made; undefined for none. */
  value: string | undefined
  onChoose: (value: string | undefined) => void
  /** The first choice, which stands for no value, such as all categories. Without it, a value must be chosen. */
  any?: string
  /** A choice that a text means and the list does not have, such as the number of a category without a name. */
  other?: (typed: string) => Choice | undefined
  /** The list is about to be shown: the time to read what it has. */
  onOpen?: () => void
  id?: string
  placeholder?: string
  isInvalid?: boolean
  describedBy?: string
  isDisabled?: boolean
  class?: string
}

/** Names to choose from; typing narrows them. The editable combobox of ARIA 1.2: the focus stays in the field. */
export function Combobox(props: ComboboxProps) {
  const { label, choices, value, onChoose, any, other, onOpen, placeholder = any, class: className = '' } = props
  const ownId = useId()
  const id = props.id ?? ownId
  /** Undefined while the list is closed. */
  const [typed, setTyped] = useState<string>()
  const [at, setAt] = useState(0)
  const list = useRef<HTMLDivElement>(null)
  /** Whether the field is left by Tab, which takes the choice that is marked. */
  const isTab = useRef(false)
  /** The field was left with a text that means no choice: it stays, marked as a fault. */
  const [isLeft, setLeft] = useState(false)
  const isOpen = typed !== undefined && !isLeft
  const chosen = value === undefined ? undefined : (choices.find((one) => one.value === value) ?? other?.(value))
  const none = any === undefined ? [] : [{ value: undefined, label: any } as const]
  // A person who types `cat` wants cats, not all categories.
  const all = typed ? [...choices, ...none] : [...none, ...choices]
  const extra = typed && !choices.some((one) => one.value === typed.trim()) ? other?.(typed) : undefined
  const found = isOpen ? [...(extra ? [extra] : []), ...narrow(all, typed)] : []
  const current = Math.min(at, found.length - 1)
  useLayoutEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }, [current, isOpen])

  const open = (text = typed ?? '') => {
    if (props.isDisabled) return
    if (!isOpen) onOpen?.()
    setTyped(text)
    setLeft(false)
    const place = text === '' ? [...none, ...choices].findIndex((one) => one.value === value) : 0
    setAt(Math.max(0, place))
  }
  const close = () => {
    setTyped(undefined)
    setLeft(false)
  }
  // A filter that has come from elsewhere, as by Back.
  useLayoutEffect(() => {
    if (isLeft && any !== undefined) close()
  }, [value])
  const choose = (choice: { value: string | undefined } | undefined) => {
    close()
    if (choice && choice.value !== value) onChoose(choice.value)
  }
  /** Leaving the field takes what was typed if it can only mean one choice. Nothing that was typed is lost unseen. */
  const leave = () => {
    const text = typed?.trim() ?? ''
    const exact = found.filter((one) => one === extra || isExact(one, text))
    const [only, ...others] = isTab.current ? found.slice(current, current + 1) : exact.length === 1 ? exact : found
    isTab.current = false
    if (text === '') close()
    else if (only && others.length === 0) choose(only)
    else {
      setLeft(true)
      if (any === undefined) onChoose(undefined)
    }
  }
  const onKeyDown = (event: KeyboardEvent) => {
    isTab.current = event.key === 'Tab'
    if (event.isComposing || event.ctrlKey || event.metaKey) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && !isOpen) open()
    else if (step) setAt((current + step + found.length) % Math.max(found.length, 1))
    else if (event.key === 'Enter' && isOpen && current >= 0) choose(found[current])
    else if (event.key === 'Escape' && typed !== undefined) close()
    else if (event.key !== 'Enter' || !isOpen) return
    // Neither the list behind it nor the form around it gets the key.
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div class={`combo anchor ${className}`}>
      <input
        id={id}
        type="text"
        role="combobox"
        aria-label={props.id === undefined ? label : undefined}
        aria-expanded={isOpen}
        aria-controls={`${id}-list`}
        aria-autocomplete="list"
        aria-activedescendant={found.length > 0 ? `${id}-${current}` : undefined}
        aria-invalid={isLeft || props.isInvalid}
        aria-describedby={props.describedBy}
        disabled={props.isDisabled}
        data-saved={typed === undefined}
        autocomplete="off"
        spellcheck={false}
        placeholder={isOpen ? (chosen?.label ?? placeholder) : placeholder}
        value={typed ?? chosen?.label ?? ''}
        onInput={(event) => open(event.currentTarget.value)}
        onClick={() => !isOpen && open()}
        onKeyDown={onKeyDown}
        onBlur={leave}
      />
      <Icon of="down" isSmall />
      <div class="float" role="listbox" id={`${id}-list`} aria-label={label} hidden={found.length === 0} ref={list}>
        {found.map((choice, place) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are those of the combobox, which keeps the focus
          <div
            key={choice.value}
            id={`${id}-${place}`}
            role="option"
            tabIndex={-1}
            aria-selected={place === current}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => choose(choice)}
            onMouseMove={() => setAt(place)}
          >
            <Option choice={choice} />
          </div>
        ))}
      </div>
      {isOpen && found.length === 0 && (
        <p class="float soft" role="status">
          {texts.common.noMatch}
        </p>
      )}
    </div>
  )
}

function Option({ choice }: { choice: Omit<Choice, 'value'> }) {
  return (
    <>
      <bdi class="one-line">{choice.label}</bdi>
      {choice.id !== undefined && <span class="id">{choice.number ?? choice.id}</span>}
      {choice.count !== undefined && <span class="count">{choice.count}</span>}
    </>
  )
}
