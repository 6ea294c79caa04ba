#!/usr/bin/env node
import { lstatSync, mkdirSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

// In JavaScript, as the only file: for an entry in TypeScript, Node loads its type stripper before there is a cache, which takes a tenth of
// a second.
cacheCompiledCode()
await import('./main.ts')

/**
 * Caches compiled code between starts, which saves a third of a second. Not in Node's default, the temporary directory,
 * where any user could put code for us to run, but where only a user who can change the program can write.
 */
function cacheCompiledCode() {
  const folder = join(import.meta.dirname, '../node_modules/.cache/petstore')
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const { uid, mode } = lstatSync(folder)
    // A user who can write there can make this program run their code.
    if (uid === process.getuid?.() && (mode & 0o077) === 0) enableCompileCache(folder)
  } catch {
    // A read-only installation compiles at every start.
  }
}
