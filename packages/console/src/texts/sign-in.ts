export const signIn = {
  title: 'Sign in',
  lead: 'Paste your API key. It is exchanged for a session in this browser and is not stored. If you have no key, ask',
  ended: 'Your session has ended. Sign in to continue where you were.',
  apiKey: 'API key',
  submit: 'Sign in',
  missing: 'Enter your API key.',
  malformed: 'This is not an API key. Keys start with petk_live_ or petk_test_, followed by 36 letters and digits.',
  unreachable: 'The service could not be reached. Check your connection and try again.',
  insecureTitle: 'HTTPS is required',
  insecure:
    'Open this page over HTTPS. Over plain HTTP your session could be read on its way, so signing in is not possible.',
}
