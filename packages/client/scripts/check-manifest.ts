import { readFile } from 'node:fs/promises'

// Runs before `npm publish`: users of a package look there for its source and for where to report bugs. This repository names no
// host, since it can be hosted anywhere, so the publisher sets them.
const LINKS = ['repository', 'homepage', 'bugs']

const manifest = JSON.parse(await readFile('package.json', 'utf8')) as Record<string, unknown>
const missing = LINKS.filter((field) => manifest[field] === undefined)
if (missing.length > 0) {
  console.error(`package.json has no ${missing.join(', ')}. Set them to where this repository is hosted:
  npm pkg set repository.type=git repository.url=URL repository.directory=packages/client homepage=URL bugs.url=URL`)
  process.exitCode = 1
}
