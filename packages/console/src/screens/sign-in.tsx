import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { looksLikeKey } from '../key-format.ts'
import { signIn, signOut } from '../session.ts'
import { texts } from '../texts.ts'
import { Contact } from '../ui/contact.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { Icon } from '../ui/icon.tsx'

const { signIn: t, common } = texts

/** The page of a person who is not signed in. */
export function SignIn() {
  const title = isSecureContext ? t.title : t.insecureTitle
  useEffect(() => {
    document.title = `${title} — ${common.console}`
  }, [title])
  return (
    <main class="sign-in" id="main">
      <div>
        <p class="brand">
          <Icon of="pets" />
          {common.product}
        </p>
        <h1>{title}</h1>
        <p class="soft">
          {isSecureContext ? (
            <>
              {t.lead} <Contact />.
            </>
          ) : (
            t.insecure
          )}
        </p>
        {isSecureContext && <SignInForm />}
      </div>
    </main>
  )
}

/** Over the screen whose session has ended, which stays as it is. */
export function SignInAgain() {
  return (
    <Dialog title={t.title} class="sign-in">
      <p class="soft">{t.ended}</p>
      <SignInForm />
      <button type="button" class="link" onClick={() => void signOut()}>
        {texts.frame.signOut}
      </button>
    </Dialog>
  )
}

function SignInForm() {
  const form = useRef<HTMLFormElement>(null)
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const field = () => form.current?.querySelector('input')
  useLayoutEffect(() => field()?.focus(), [])
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    const input = field()
    if (!input || isBusy) return
    const apiKey = input.value.trim()
    if (!looksLikeKey(apiKey)) {
      setFault(apiKey === '' ? t.missing : t.malformed)
      input.focus()
      return
    }
    setBusy(true)
    const rejection = await signIn(apiKey).catch(() => t.unreachable)
    setBusy(false)
    setFault(rejection)
    if (rejection === undefined) return
    input.value = ''
    input.focus()
  }
  return (
    <form ref={form} onSubmit={(event) => void submit(event)} noValidate>
      <Field
        label={t.apiKey}
        fault={fault}
        type="password"
        name="password"
        autocomplete="current-password"
        placeholder="petk_…"
      />
      <button type="submit" class="primary" aria-disabled={isBusy}>
        {t.submit}
      </button>
    </form>
  )
}
