import { breakingChanges, type Document, isOfBeta, type Schema } from './breaking-changes.ts'

/** A breaking change on purpose: its line in CHANGELOG.md, and what it does to the document of the last release. */
export type Deliberate = [line: string, change: (document: Document) => void]

interface Release {
  released: Document
  current: Document
  deliberate: readonly Deliberate[]
  changelog: string
  /** As `2030-12-05`. */
  today?: string
}

/** What docs/versioning.md rules out in the next release: a sentence for each. */
export function violations({ released, current, deliberate, changelog, today = dateOf(new Date()) }: Release) {
  const [was, is] = [versionOf(released), versionOf(current)]
  const isMajor = is.major > was.major
  const isMinor = isMajor || (is.major === was.major && is.minor > was.minor)
  const surprises = breakingChanges(applied(released, deliberate), current)
  const ofStable = breakingChanges(released, current).filter((change) => !isOfBeta(change))
  const before = surfacesOf(released)
  const now = surfacesOf(current)
  const becameStable = [...now].filter(([name, isBeta]) => !isBeta && before.get(name) !== false)
  const unreleased = onOneLine(changelog.split(`\n## ${released.info.version} `)[0] ?? '')
  return [
    ...surprises.map((change) => `${change}: breaks clients`),
    ...(isMajor ? [] : ofStable.map((change) => `${change}: needs a new major version`)),
    ...removedTooSoon(released, current, today),
    ...deliberate
      .filter(([line]) => !unreleased.includes(onOneLine(line)))
      .map(([line]) => `${line}: is not in CHANGELOG.md under Unreleased`),
    ...[...before]
      .filter(([name, wasBeta]) => !wasBeta && now.get(name))
      .map(([name]) => `${name}: was stable, and is beta`),
    ...(isMinor ? [] : becameStable.map(([name]) => `${name}: becomes stable, which needs a new minor version`)),
  ]
}

/** The document of the last release after these changes. */
export function applied(released: Document, changes: readonly Deliberate[]) {
  const document = structuredClone(released)
  for (const [, change] of changes) change(document)
  return document
}

/** A stable operation is removed only after the sunset that a release has announced. */
function removedTooSoon(released: Document, current: Document, today: string) {
  return operationsOf(released).flatMap(({ name, path, method, operation }) => {
    const { 'x-stability': stability, 'x-sunset': sunset } = operation
    if (current.paths[path]?.[method] || stability === 'beta') return []
    return sunset !== undefined && sunset <= today ? [] : [`${name}: removed before its sunset`]
  })
}

/** Everything that has a name in the document, and whether it is beta: by itself, or with what it is a part of. */
function surfacesOf(document: Document) {
  const surfaces = new Map<string, boolean>()
  const isBeta = (marked: { 'x-stability'?: string } | undefined) => marked?.['x-stability'] === 'beta'
  const resolved = ({ $ref }: { $ref: string }, among: Record<string, Schema>) => among[$ref.split('/').at(-1) ?? '']
  const addFields = (place: string, given: Schema, isWithin: boolean) => {
    const schema = given.$ref === undefined ? given : resolved({ $ref: given.$ref }, document.components.schemas)
    for (const [name, field] of Object.entries(schema?.properties ?? {})) {
      const isBetaField = isWithin || isBeta(field)
      surfaces.set(`${place}.${name}`, isBetaField)
      addFields(`${place}.${name}`, field, isBetaField)
    }
    if (schema?.items) addFields(place, schema.items, isWithin)
  }
  for (const { name, operation } of operationsOf(document)) {
    const isWithin = isBeta(operation)
    surfaces.set(name, isWithin)
    for (const parameter of operation.parameters ?? [])
      surfaces.set(`${name}: parameter ${parameter.name}`, isWithin || isBeta(parameter))
    for (const { schema } of Object.values(operation.requestBody?.content ?? {}))
      addFields(`${name}: body`, schema, isWithin)
    for (const [status, { headers = {}, content = {} }] of Object.entries(operation.responses)) {
      for (const [header, ref] of Object.entries(headers))
        surfaces.set(
          `${name}: status ${status}: header ${header}`,
          isWithin || isBeta(resolved(ref, document.components.headers)),
        )
      for (const { schema } of Object.values(content)) addFields(`${name}: status ${status}`, schema, isWithin)
    }
  }
  return surfaces
}

function operationsOf({ paths }: Document) {
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      name: `${method.toUpperCase()} ${path}`,
      path,
      method,
      operation,
    })),
  )
}

function versionOf({ info }: Document) {
  const [major = 0, minor = 0] = info.version.split('.').map(Number)
  return { major, minor }
}

function onOneLine(text: string) {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function dateOf(time: Date) {
  return time.toISOString().slice(0, 10)
}
