import { existsSync } from 'node:fs'
import { join } from 'node:path'

const PACKAGE = join(import.meta.dirname, '../../packages/console')

/** The build script of the console, and its output. An installed package has only the output. */
export const CONSOLE_BUILD = join(PACKAGE, 'build.ts')
export const CONSOLE_DIRECTORY = join(PACKAGE, 'dist')
export const CONSOLE_PAGE = 'index.html'

export function isConsoleBuilt(directory: string) {
  return existsSync(join(directory, CONSOLE_PAGE))
}

/** The log lines about the console at the start, if any. */
export function consoleNotes({ consoleDirectory }: { consoleDirectory: string | undefined }) {
  if (consoleDirectory === undefined || isConsoleBuilt(consoleDirectory)) return []
  return ['The console is not built, so /console is not served. Run `npm run build` and restart.']
}
