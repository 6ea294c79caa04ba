import type { EventType, WebhookWithSecret } from '@petstore/client'
import { useState } from 'preact/hooks'
import { explain, isUncertain, webhooks } from '../api.ts'
import { texts } from '../texts.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { EVENT_TYPES } from './activity-tail.ts'

const { webhooks: t, common } = texts

interface AddProps {
  onCreated: (webhook: WebhookWithSecret) => void
  /** It may have been created. */
  onUncertain: () => void
  onClose: () => void
}

export function AddWebhook({ onCreated, onUncertain, onClose }: AddProps) {
  const [url, setUrl] = useState('')
  const [types, setTypes] = useState<readonly EventType[]>([])
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const submit = async (event: Event) => {
    event.preventDefault()
    if (isBusy) return
    setBusy(true)
    try {
      // With none chosen it gets all, also those that later versions add.
      onCreated(await webhooks.create({ url: url.trim(), types: types.length === 0 ? null : [...types] }))
    } catch (error) {
      if (isUncertain(error)) return onUncertain()
      setFault(explain(error))
      setBusy(false)
    }
  }
  const toggle = (type: EventType) =>
    setTypes(types.includes(type) ? types.filter((other) => other !== type) : [...types, type])
  return (
    <Dialog title={t.add} onClose={onClose}>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <Field
          label={t.url}
          hint={t.urlHint}
          fault={fault}
          type="url"
          placeholder="https://shop.example/hooks"
          value={url}
          autofocus
          onInput={(event) => setUrl(event.currentTarget.value)}
        />
        <fieldset class="field">
          <legend>{t.types}</legend>
          <p class="hint">{t.typesHint}</p>
          <div class="types">
            {EVENT_TYPES.map((type) => (
              <label key={type} class="check">
                <input type="checkbox" checked={types.includes(type)} onChange={() => toggle(type)} />
                {texts.activity.types[type]}
              </label>
            ))}
          </div>
        </fieldset>
        <footer>
          <button type="button" onClick={onClose}>
            {common.cancel}
          </button>
          <button type="submit" class="primary" aria-disabled={isBusy}>
            {common.add}
          </button>
        </footer>
      </form>
    </Dialog>
  )
}
