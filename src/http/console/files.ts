import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, sep } from 'node:path'
import { CONSOLE_PAGE, isConsoleBuilt } from '../../lib/console-build.ts'
import { acceptedCoding } from '../wire/accept-encoding.ts'

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
}
// The smallest first. The build creates both.
const ENCODINGS = [
  { name: 'br', ending: '.br' },
  { name: 'gzip', ending: '.gz' },
]

interface ConsoleFile {
  type: string
  content: Buffer
  /** The same content by the name of its encoding. */
  encoded: ReadonlyMap<string, Buffer>
}

export interface ConsoleFiles {
  page: ConsoleFile
  /** By the path below /console. Nothing else is ever read from the disk, whatever a path contains. */
  byPath: ReadonlyMap<string, ConsoleFile>
}

/**
 * Reads all files, less than a megabyte, at once: an upgrade that replaces them must not mix two versions. Undefined if the console is not
 * built.
 */
export function readConsole(directory: string | undefined): ConsoleFiles | undefined {
  if (directory === undefined || !isConsoleBuilt(directory)) return undefined
  const names = new Set(readdirSync(directory, { recursive: true, encoding: 'utf8' }))
  const byPath = new Map<string, ConsoleFile>()
  for (const name of names) {
    const type = TYPES[extname(name)]
    if (type) byPath.set(name.replaceAll(sep, '/'), readOne(directory, name, type, names))
  }
  const page = byPath.get(CONSOLE_PAGE)
  return page && { page, byPath }
}

function readOne(directory: string, name: string, type: string, names: ReadonlySet<string>): ConsoleFile {
  const read = (file: string) => readFileSync(join(directory, file))
  const made = ENCODINGS.filter(({ ending }) => names.has(name + ending))
  return {
    type,
    content: read(name),
    encoded: new Map(made.map((encoding) => [encoding.name, read(name + encoding.ending)])),
  }
}

/** The rules of the font, which the documentation has too. */
export const fontStyleOf = (files: ConsoleFiles | undefined) => files?.byPath.get('font.css')?.content.toString()

/** The smallest form that the client accepts. */
export function encodedFor({ content, encoded }: ConsoleFile, acceptEncoding: string | undefined) {
  const encoding = acceptedCoding(acceptEncoding, encoded.keys())
  return { content: (encoding && encoded.get(encoding)) ?? content, encoding }
}
