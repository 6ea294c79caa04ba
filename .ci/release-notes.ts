import { readFileSync } from 'node:fs'

// Prints the section of CHANGELOG.md for a version, for the page of the release. Exits with 1 unless the tag, both package.json and
// openapi.json have that version. Without a tag, prints what is not released yet.
//   node .ci/release-notes.ts [v1.2.3]

const tag = process.argv[2]
const FILES = ['package.json', 'packages/client/package.json', 'openapi.json', 'released/openapi.json']

if (tag === undefined) {
  console.log(sectionOf(/^Unreleased\n/))
} else {
  const version = tag.replace(/^v/, '')
  const wrong = FILES.filter((file) => versionIn(file) !== version).map((file) => `${file} has ${versionIn(file)}`)
  const notes = sectionOf(new RegExp(`^${RegExp.escape(version)} - \\d{4}-\\d{2}-\\d{2}\n`))
  if (notes === undefined) wrong.push(`CHANGELOG.md has no section "## ${version} - YYYY-MM-DD"`)
  for (const sentence of wrong) console.error(`${tag}: ${sentence}.`)
  if (wrong.length > 0) process.exitCode = 1
  else console.log(notes)
}

function versionIn(file: string) {
  const { version: own, info } = JSON.parse(readFileSync(file, 'utf8')) as {
    version?: string
    info?: { version: string }
  }
  return own ?? info?.version
}

function sectionOf(heading: RegExp) {
  const sections = readFileSync('CHANGELOG.md', 'utf8').split(/^## /m)
  const own = sections.find((section) => heading.test(section))
  return own?.slice(own.indexOf('\n')).trim()
}
