import { writeSync } from 'node:fs'
import { registerHooks } from 'node:module'

// Tells each module that a process loads, on its standard error.
registerHooks({
  load(url, context, nextLoad) {
    writeSync(2, `${url}\n`)
    return nextLoad(url, context)
  },
})
