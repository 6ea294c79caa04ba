import { globSync, lstatSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isWellFormedKey } from '../../src/lib/ids/key-format.ts'

// Names that nobody gives to a file of a program.
const SUSPICIOUS_NAME =
  /^(?:\.env.*|\.git|\.npmrc|\.netrc|\.pgpass|\.ssh|\.docker|\.petstore|id_(?:rsa|ecdsa|ed25519)|.*\.(?:key|p12|pfx))$/

const SECRETS: Record<string, RegExp> = {
  'a private key': /-----BEGIN [A-Z ]*PRIVATE KEY-----\s+[\w+/=]{40}/,
  'a token of npm': /\bnpm_[0-9A-Za-z]{36}\b|_authToken\s*=\s*[^\s$]/,
  'a token of GitHub': /\bgh[oprsu]_[0-9A-Za-z]{36}\b/,
  'a key of AWS': /\bAKIA[0-9A-Z]{16}\b/,
}
// Packages show addresses with made-up passwords in their papers, and so does our own help, with the word for one.
const DATABASE_PASSWORD = /\bpostgres(?:ql)?:\/\/[^\s:@/'"`$]+:(?!password@)[^\s@'"`$]+@[\w.-]+/

/** Whatever in an unpacked image has no business there: a sentence for each, none if it is clean. */
export function findings(root: string, packagesAtRunTime: string[]): string[] {
  const files = globSync('**/{*,.*}', { cwd: root }).filter((file) => !lstatSync(join(root, file)).isSymbolicLink())
  const suspicious = files.filter((file) => SUSPICIOUS_NAME.test(file.split('/').at(-1) ?? ''))
  const packages = files.flatMap((file) => /^petstore\/(node_modules\/.*)\/package\.json$/.exec(file)?.[1] ?? [])
  // Packages hold further package.json of their own; a package is what the lock file or npm would call one.
  const installed = packages.filter((path) => /(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+$/.test(path))
  return [
    ...suspicious.map((file) => `${file}: by its name it holds secrets`),
    ...installed.filter((path) => !packagesAtRunTime.includes(path)).map((path) => `${path}: not needed at run time`),
    ...files.filter((file) => lstatSync(join(root, file)).isFile()).flatMap((file) => secretsIn(root, file)),
  ]
}

function secretsIn(root: string, file: string) {
  const text = readFileSync(join(root, file), 'latin1')
  const kinds = Object.entries(SECRETS).filter(([, pattern]) => pattern.test(text))
  const keys = text.match(/\bpetk_(?:live|test)_[0-9A-Za-z]{36}\b/g) ?? []
  const isPublished = file.startsWith('petstore/node_modules/')
  return [
    ...kinds.map(([kind]) => kind),
    ...keys.filter(isWellFormedKey).map(() => 'a key of this service'),
    ...(!isPublished && DATABASE_PASSWORD.test(text) ? ['the password of a database'] : []),
  ].map((kind) => `${file}: holds ${kind}`)
}
