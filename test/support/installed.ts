import { existsSync } from 'node:fs'

// Why a test is skipped, or false. CI has all that any test needs: there it is never skipped, and fails without it.
const isCi = Boolean(process.env['CI'])

export function skipWithout(program: string, debianPackage: string) {
  return existsSync(program) || isCi ? false : `needs ${program}: apt-get install ${debianPackage}`
}

export const skipUnlessRoot = process.getuid?.() === 0 || isCi ? false : 'needs root'
