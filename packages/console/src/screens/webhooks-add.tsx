import type { EventType, WebhookWithSecret } from '@petstore/client'
import { useMemo, useState } from 'preact/hooks'
import { explain, hasCode, webhooks } from '../api.ts'
import { texts } from '../manage-texts.ts'
import { can } from '../session.ts'
import { NoScope } from '../ui/contact.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { EVENT_TYPES } from './events-list.ts'
import { MOST_OF_A_NAME } from './webhooks-rename.tsx'

const { webhooks: t, common } = texts

interface AddProps {
  onCreated: (webhook: WebhookWithSecret) => void
  onClose: () => void
}

export function AddWebhook(props: AddProps) {
  return (
    <Dialog title={t.add} onClose={props.onClose}>
      {can('events:read') ? (
        <AddForm {...props} />
      ) : (
        <p>
          <NoScope scope="events:read" />
        </p>
      )}
    </Dialog>
  )
}

function AddForm({ onCreated, onClose }: AddProps) {
  const [url, setUrl] = useState('')
  const [name, setName] = useState('')
  const [types, setTypes] = useState<readonly EventType[]>([])
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  // One for as long as the form is open: sent again after its response was lost, it returns the same webhook with its secret.
  const idempotencyKey = useMemo(() => crypto.randomUUID(), [])
  const submit = async () => {
    if (isBusy) return
    setBusy(true)
    try {
      // With none chosen it gets all, also those that later versions add.
      const named = name.trim() === '' ? {} : { name: name.trim() }
      const wanted = { ...named, url: url.trim(), types: types.length === 0 ? null : [...types] }
      onCreated(await webhooks.create(wanted, { idempotencyKey }))
    } catch (error) {
      setFault(hasCode(error, 'idempotency_key_reused') ? t.alreadyAdded : explain(error))
      setBusy(false)
    }
  }
  const toggle = (type: EventType) =>
    setTypes(types.includes(type) ? types.filter((other) => other !== type) : [...types, type])
  return (
    <Form action={common.add} isBusy={isBusy} onSubmit={submit} onCancel={onClose}>
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
      <Field
        label={t.name}
        hint={t.nameHint}
        dir="auto"
        maxLength={MOST_OF_A_NAME}
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
      />
      <fieldset class="field">
        <legend>{t.types}</legend>
        <p class="hint">{t.typesHint}</p>
        <div class="types">
          {EVENT_TYPES.map((type) => (
            <label key={type} class="check">
              <input type="checkbox" checked={types.includes(type)} onChange={() => toggle(type)} />
              {texts.eventTypes[type]}
            </label>
          ))}
        </div>
      </fieldset>
    </Form>
  )
}
