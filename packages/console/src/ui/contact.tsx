import { contact } from '../session.ts'
import { texts } from '../texts.ts'

/** Whom to ask: the address that the service has been given, else the operator. */
export function Contact() {
  const { value: url } = contact
  return url === undefined ? texts.common.operator : <a href={url}>{url.replace(/^mailto:|^https:\/\//, '')}</a>
}

/** That the key lacks a scope, and whom to ask. */
export const NoScope = ({ scope }: { scope: string }) => (
  <>
    {texts.common.noScope(scope)} {texts.common.askForScope} <Contact />.
  </>
)

/** Who can change keys, and how. */
export const KeysElsewhere = () => (
  <span>
    {texts.common.keysElsewhere} <code>petstore keys</code>. {texts.common.askForKey} <Contact />.
  </span>
)
