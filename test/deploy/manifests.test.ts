import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempDisposableSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { parseEnv } from 'node:util'
import type { Deployment } from 'kubernetes-types/apps/v1.js'
import type { Job } from 'kubernetes-types/batch/v1.js'
import type { EnvVar, Service } from 'kubernetes-types/core/v1.js'
import type { NetworkPolicy } from 'kubernetes-types/networking/v1.js'
import type { PodDisruptionBudget } from 'kubernetes-types/policy/v1.js'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '../../src/config.ts'
import { isAllowed } from '../../src/lib/receivers.ts'

// After its delay a process has ended in this time, whatever the database does: docs/configuration.md.
const LONGEST_DRAIN_S = 11
const LONGEST_DELIVERY_S = 15
const SECRET = 'a-secret-of-more-than-32-characters'

interface ComposeService {
  image: string
  command?: string[]
  environment?: Record<string, string>
  read_only?: boolean
  cap_drop?: string[]
  security_opt?: string[]
  stop_grace_period?: string
  depends_on?: Record<string, object>
  ports?: string[]
}

const kubernetes = ['petstore.yaml', 'migrate.yaml', 'deliver.yaml'].flatMap((file) =>
  parseAllDocuments(readFileSync(`deploy/kubernetes/${file}`, 'utf8')).map((document) => document.toJS() as unknown),
)
const [deployment, service, budget, policy, job, migrationPolicy, delivery, deliveryPolicy] = kubernetes as [
  Deployment,
  Service,
  PodDisruptionBudget,
  NetworkPolicy,
  Job,
  NetworkPolicy,
  Deployment,
  NetworkPolicy,
]
const composeText = readFileSync('deploy/compose.yaml', 'utf8')
const compose = parse(composeText, { merge: true }) as { services: Record<string, ComposeService> }
const unit = readFileSync('deploy/systemd/petstore.service', 'utf8')
const deliveryUnit = readFileSync('deploy/systemd/petstore-deliver.service', 'utf8')
const backupUnits = ['backup', 'receive-wal'].map((name) =>
  readFileSync(`deploy/systemd/petstore-${name}.service`, 'utf8'),
)
const documented = new Set(
  Array.from(readFileSync('docs/configuration.md', 'utf8').matchAll(/^\| `([A-Z_]+)`/gm), ([, name]) => name!),
)

const pod = deployment.spec!.template.spec!
const migration = job.spec!.template.spec!
const delivering = delivery.spec!.template.spec!
const [container, migrate, deliver] = [pod.containers[0]!, migration.containers[0]!, delivering.containers[0]!]

/** As the service would read them, with a secret in its place. */
function environmentOf(variables: EnvVar[] = []) {
  return Object.fromEntries(
    variables.map(({ name, value, valueFrom }) => [
      name,
      value ?? (valueFrom?.secretKeyRef ? `postgres://${SECRET}/petstore` : undefined),
    ]),
  )
}

const environments: Record<string, NodeJS.ProcessEnv> = {
  'the Deployment': environmentOf(container.env),
  'the migration Job': environmentOf(migrate.env),
  'the Deployment that delivers': environmentOf(deliver.env),
  'service in compose.yaml': { ...compose.services['service']?.environment },
  'migrate in compose.yaml': { ...compose.services['migrate']?.environment },
  'deliver in compose.yaml': { ...compose.services['deliver']?.environment },
  'petstore.env': parseEnv(readFileSync('deploy/systemd/petstore.env', 'utf8')),
  'deliver.env': parseEnv(readFileSync('deploy/systemd/deliver.env', 'utf8')),
}

for (const [where, environment] of Object.entries(environments)) {
  test(`every variable that ${where} sets is documented, and what it says is understood`, () => {
    assert.deepEqual(
      Object.keys(environment).filter((name) => !documented.has(name)),
      [],
    )
    const filledIn = Object.entries(environment).map(([name, value]) => [name, value?.replace(/\$\{.*?\}/, SECRET)])
    readConfig(Object.fromEntries(filledIn) as NodeJS.ProcessEnv)
  })
}

test('the manifests are what Kubernetes calls by these names, to the last field', () => {
  assert.equal(errorsOf(kubernetes), '')
  const misspelt = structuredClone(kubernetes) as [{ spec: { template: { spec: { containers: object[] } } } }]
  Object.assign(misspelt[0].spec.template.spec.containers[0]!, { readinesProbe: {} })
  assert.match(errorsOf(misspelt), /readinesProbe/)
})

test('a manifest is rendered with an image that is named by its digest, and with no other', () => {
  const render = (manifest: string, image: string) =>
    spawnSync('bash', ['deploy/kubernetes/render', manifest, image], { encoding: 'utf8' })
  const digest = `@sha256:${'0123456789abcdef'.repeat(4)}`
  for (const image of [`registry.example:5000/shop/petstore${digest}`, `petstore:1.0.0${digest}`])
    for (const manifest of ['migrate', 'petstore', 'deliver']) {
      const { status, stdout } = render(manifest, image)
      assert.equal(status, 0)
      const images = Array.from(stdout.matchAll(/^ *image: (.*)$/gm), ([, name]) => name)
      assert.deepEqual(images, [image], manifest)
    }
  for (const image of ['', 'petstore', 'petstore:1.0.0', `petstore${digest.slice(0, -1)}`, container.image!]) {
    const { status, stdout, stderr } = render('petstore', image)
    assert.deepEqual([status, stdout], [1, ''], image)
    assert.match(stderr, /^Name the image by its digest/)
  }
})

test('probes, Service and disruption budget lead to what the service has', () => {
  const { port, adminPort } = readConfig({ DATABASE_URL: 'postgres://unused/unused' })
  const ports = container.ports!.map(({ name, containerPort }) => [name, containerPort])
  assert.deepEqual(ports, [
    ['http', port],
    ['metrics', adminPort],
  ])
  assert.deepEqual(container.livenessProbe!.httpGet, { path: '/livez', port: 'http' })
  assert.deepEqual(container.readinessProbe!.httpGet, { path: '/readyz', port: 'http' })
  assert.deepEqual(
    service.spec!.ports!.map(({ targetPort }) => targetPort),
    ['http'],
    'metrics are for nobody outside',
  )
  const labels = deployment.spec!.template.metadata!.labels
  for (const selector of [
    deployment.spec!.selector.matchLabels,
    service.spec!.selector,
    budget.spec!.selector!.matchLabels,
  ])
    assert.deepEqual(selector, labels)
  assert.notDeepEqual(job.spec!.template.metadata!.labels, labels, 'nobody sends calls to a migration')
  assert.equal(migrate.image, container.image)
  assert.equal(deliver.image, container.image)
  assert.deepEqual(
    deliver.ports!.map(({ name, containerPort }) => [name, containerPort]),
    [['metrics', adminPort]],
  )
  assert.deepEqual(deliver.livenessProbe!.httpGet, { path: '/metrics', port: 'metrics' })
  assert.deepEqual(delivery.spec!.selector.matchLabels, delivery.spec!.template.metadata!.labels)
  assert.notDeepEqual(delivery.spec!.template.metadata!.labels, labels, 'no Service sends requests to it')
})

test('pods take requests from the ingress and scrapes from the monitoring, and reach only what the service needs', () => {
  assert.deepEqual(policy.spec!.podSelector.matchLabels, deployment.spec!.template.metadata!.labels)
  assert.deepEqual(migrationPolicy.spec!.podSelector.matchLabels, job.spec!.template.metadata!.labels)
  const namespace = 'kubernetes.io/metadata.name'
  const admitted = policy.spec!.ingress!.map(({ from, ports }) => [
    from!.map(({ namespaceSelector }) => namespaceSelector!.matchLabels![namespace]),
    ports!.map(({ port }) => port),
  ])
  assert.deepEqual(admitted, [
    [['ingress-nginx'], ['http']],
    [['monitoring'], ['metrics']],
  ])
  assert.equal(migrationPolicy.spec!.ingress, undefined)
  const reached = ({ spec }: NetworkPolicy) => spec!.egress!.flatMap(({ ports }) => ports!.map(({ port }) => port))
  assert.deepEqual(reached(policy), [53, 53, 5432, 6379, 4318])
  assert.deepEqual(reached(migrationPolicy), [53, 53, 5432])
  // Without a direction in policyTypes, everything is allowed in it.
  for (const { spec } of [policy, migrationPolicy, deliveryPolicy])
    assert.deepEqual(spec!.policyTypes, ['Ingress', 'Egress'])
})

test('only the pods that deliver reach public addresses, and of private ones only the database', () => {
  assert.deepEqual(deliveryPolicy.spec!.podSelector.matchLabels, delivery.spec!.template.metadata!.labels)
  assert.deepEqual(
    deliveryPolicy.spec!.ingress!.flatMap(({ ports }) => ports!.map(({ port }) => port)),
    ['metrics'],
  )
  const blocksOf = ({ spec }: NetworkPolicy) =>
    spec!.egress!.flatMap(({ to = [] }) => to.flatMap(({ ipBlock }) => ipBlock ?? []))
  assert.deepEqual([...blocksOf(policy), ...blocksOf(migrationPolicy)], [])
  const ports = deliveryPolicy.spec!.egress!.map((rule) => rule.ports!.map(({ port, endPort }) => [port, endPort]))
  assert.deepEqual(ports.slice(1), [
    [[5432, undefined]],
    [
      [443, undefined],
      [1024, 65535],
    ],
  ])
  const rules = { networks: undefined, allowsLocal: false }
  for (const { cidr, except = [] } of blocksOf(deliveryPolicy)) {
    assert.ok(cidr === '0.0.0.0/0' || cidr === '2000::/3')
    for (const network of except) assert.ok(!isAllowed(network.split('/')[0]!, rules), network)
  }
})

test('every supervisor waits for the drain before it kills', () => {
  const delay = (environment: NodeJS.ProcessEnv) =>
    readConfig({ ...environment, DATABASE_URL: 'postgres://unused/unused' }).drainDelayMs / 1_000
  const graces: [number, number][] = [
    [pod.terminationGracePeriodSeconds!, delay(environments['the Deployment']!)],
    [Number.parseInt(compose.services['service']!.stop_grace_period!, 10), delay({})],
    [Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)![1]), delay({})],
  ]
  for (const [grace, drainDelay] of graces) assert.ok(grace > drainDelay + LONGEST_DRAIN_S, `${grace} s`)
  for (const grace of [
    delivering.terminationGracePeriodSeconds!,
    Number.parseInt(compose.services['deliver']!.stop_grace_period!, 10),
    Number(/^TimeoutStopSec=(\d+)$/m.exec(deliveryUnit)![1]),
  ])
    assert.ok(grace > LONGEST_DELIVERY_S, `${grace} s`)
})

test('no container is root or can become root, and none can write', () => {
  for (const { securityContext } of [pod, migration, delivering]) {
    assert.equal(securityContext?.runAsNonRoot, true)
    assert.deepEqual(securityContext.seccompProfile, { type: 'RuntimeDefault' })
  }
  for (const { securityContext, resources } of [container, migrate, deliver]) {
    assert.deepEqual(securityContext, {
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ['ALL'] },
    })
    assert.ok(resources?.limits?.['memory'] && resources.requests?.['memory'])
  }
  for (const name of ['service', 'migrate', 'roles', 'deliver', 'redis']) {
    const { read_only, cap_drop, security_opt } = compose.services[name]!
    assert.deepEqual({ read_only, cap_drop, security_opt }, HARDENED, name)
  }
  const image = readFileSync('deploy/container/Containerfile', 'utf8')
  const user = /^USER (\d+):(\d+)$/m.exec(image)!
  assert.deepEqual(
    [pod.securityContext!.runAsUser, pod.securityContext!.runAsGroup],
    [Number(user[1]), Number(user[2])],
  )
})

test('the units of backups are confined as the others are', () => {
  const confinement = (text: string) =>
    Array.from(
      text.matchAll(/^(?:UMask|No|Cap|Ambient|Protect|Private|Restrict|Lock|SystemCall)\w*=.*$/gm),
      ([line]) => line,
    )
  assert.ok(confinement(unit).length > 20)
  assert.deepEqual(confinement(deliveryUnit), confinement(unit))
  for (const text of backupUnits) {
    assert.deepEqual(confinement(text), confinement(unit))
    assert.match(text, /^User=postgres$/m)
    assert.match(text, /^ReadWritePaths=\/var\/backups\/petstore$/m)
  }
})

test('in compose only migrations run as the superuser; the others have a role that can do no more than it needs', () => {
  const userOf = (name: string) => /\/\/(\w+):/.exec(compose.services[name]!.environment!['DATABASE_URL']!)![1]
  assert.equal(userOf('migrate'), compose.services['postgres']!.environment!['POSTGRES_USER'])
  assert.deepEqual([userOf('service'), userOf('deliver')], ['petstore_service', 'petstore_deliver'])
  for (const name of ['service', 'deliver']) assert.ok('roles' in compose.services[name]!.depends_on!, name)
})

const HARDENED = { read_only: true, cap_drop: ['ALL'], security_opt: ['no-new-privileges:true'] }

test('no manifest contains a secret, and compose opens its ports to this machine only', () => {
  for (const { env } of [container, migrate, deliver]) {
    const [databaseUrl] = env!.filter(({ name }) => name === 'DATABASE_URL')
    assert.equal(databaseUrl!.value, undefined)
    assert.equal(databaseUrl!.valueFrom!.secretKeyRef!.name, 'petstore-database')
  }
  const masterSecrets = [container, deliver].map(({ env }) => env!.find(({ name }) => name === 'WEBHOOK_MASTER_SECRET'))
  const [ofService, ofDelivery] = masterSecrets.map((variable) => variable!.valueFrom!.secretKeyRef!)
  assert.deepEqual({ ...ofDelivery, optional: true }, ofService, 'both have the same')
  const passwords = composeText.matchAll(/(?:(?:PASSWORD|AUTH|SECRET): (?:&\w+ )?|:\/\/\w*:)\$\{(\w+):\?/g)
  assert.deepEqual(
    Array.from(passwords, ([, name]) => name),
    [
      'POSTGRES_PASSWORD',
      'REDIS_PASSWORD',
      'POSTGRES_PASSWORD',
      'POSTGRES_PASSWORD',
      'SERVICE_PASSWORD',
      'DELIVER_PASSWORD',
      'SERVICE_PASSWORD',
      'REDIS_PASSWORD',
      'WEBHOOK_MASTER_SECRET',
      'DELIVER_PASSWORD',
    ],
  )
  for (const { ports = [] } of Object.values(compose.services))
    for (const port of ports) assert.match(port, /^127\.0\.0\.1:/)
})

/** What the compiler says of documents held against the types of Kubernetes, where every field must be known. */
function errorsOf(documents: unknown[]) {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'petstore-manifests-'))
  symlinkSync(resolve('node_modules'), join(folder.path, 'node_modules'))
  writeFileSync(join(folder.path, 'package.json'), '{"type": "module"}')
  const lines = documents.map((document, i) => {
    const { apiVersion, kind } = document as { apiVersion: string; kind: string }
    const group = apiVersion.includes('/') ? apiVersion.replace('.k8s.io', '') : `core/${apiVersion}`
    const type = `import('kubernetes-types/${group}.js').${kind}`
    return `export const document${i}: ${type} = ${JSON.stringify(document)}`
  })
  writeFileSync(join(folder.path, 'manifests.ts'), lines.join('\n'))
  try {
    const options = ['--noEmit', '--strict', '--module', 'nodenext', '--types', '', 'manifests.ts']
    execFileSync(resolve('node_modules/.bin/tsc'), options, { cwd: folder.path, encoding: 'utf8' })
    return ''
  } catch (error) {
    return (error as { stdout: string }).stdout
  }
}
