import { after } from 'node:test'

/** What a test file has opened, closed in reverse order when it has run: a service before its database. */
export const opened = new AsyncDisposableStack()
after(() => opened.disposeAsync())
