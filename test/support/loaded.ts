import { writeSync } from 'node:fs'
import { registerHooks } from 'node:module'

// Tells each module that a process loads, on its standard error.
registerHooks({
  load(url, context, nextLoad) {
    tell(`${url}\n`)
    return nextLoad(url, context)
  },
})

/** A reader that is slow lets the pipe fill up: then a write fails, and the process with it. */
function tell(line: string) {
  for (;;) {
    try {
      return writeSync(2, line)
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) throw error
    }
  }
}
