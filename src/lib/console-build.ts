import { existsSync } from 'node:fs'
import { join } from 'node:path'

const PACKAGE = join(import.meta.dirname, '../../packages/console')

/** What builds the console, and where it is then. Where only the result was installed, the first is missing. */
export const CONSOLE_BUILD = join(PACKAGE, 'build.ts')
export const CONSOLE_DIRECTORY = join(PACKAGE, 'dist')
export const CONSOLE_PAGE = 'index.html'

export function isConsoleBuilt(directory: string) {
  return existsSync(join(directory, CONSOLE_PAGE))
}

/** What the start reports about the console, if anything. */
export function consoleNotes({ consoleDirectory }: { consoleDirectory: string | undefined }) {
  if (consoleDirectory === undefined || isConsoleBuilt(consoleDirectory)) return []
  return ['The console is not built, so /console is not served. Run `npm run build` and restart.']
}
