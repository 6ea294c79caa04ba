import { readFileSync } from 'node:fs'

// Prints the section of CHANGELOG.md for a version, for the page of the release. Exits with 1 unless the tag, both package.json and
// openapi.json have that version.
//   node .ci/release-notes.ts v1.2.3

const tag = process.argv[2] ?? ''
const version = tag.replace(/^v/, '')
const FILES = ['package.json', 'packages/client/package.json', 'openapi.json', 'released/openapi.json']

const wrong = FILES.filter((file) => versionIn(file) !== version).map((file) => `${file} has ${versionIn(file)}`)
const notes = sectionOf(version)
if (notes === undefined) wrong.push(`CHANGELOG.md has no section "## ${version} - YYYY-MM-DD"`)
for (const sentence of wrong) console.error(`${tag || 'no tag'}: ${sentence}.`)
if (wrong.length > 0) process.exitCode = 1
else console.log(notes)

function versionIn(file: string) {
  const { version: own, info } = JSON.parse(readFileSync(file, 'utf8')) as {
    version?: string
    info?: { version: string }
  }
  return own ?? info?.version
}

function sectionOf(wanted: string) {
  const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m)
  const own = sections.find((section) => /^\S+ - \d{4}-\d{2}-\d{2}\n/.test(section) && section.startsWith(`${wanted} `))
  return own?.slice(own.indexOf('\n')).trim()
}
