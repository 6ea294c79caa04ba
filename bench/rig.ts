import { createDatabase, loadPets, type Postgres, startPostgres } from './postgres.ts'
import { createKey, PROGRAM, petstore, type Service, startService } from './service.ts'

/** A database full of pets, and a key for the services on it. */
export interface Store {
  databaseUrl: string
  postgresPid: number
  key: string
  /** Until it was loaded, vacuumed and flushed. */
  loadSeconds: number
}

/** A store, and the service on it. */
export interface Rig extends Store {
  service: Service
}

export async function setUp(
  resources: AsyncDisposableStack,
  { pets, workers }: { pets: number; workers: number },
): Promise<Rig> {
  const store = await setUpStore(resources, pets)
  return { ...store, service: resources.use(await startService(store.databaseUrl, workers)) }
}

export async function setUpStore(resources: AsyncDisposableStack, pets: number): Promise<Store> {
  log('starting PostgreSQL …')
  return await fillStore(await startPostgres(resources), 'petstore', pets)
}

/** A database of this name, on a PostgreSQL that may hold others too. */
export async function fillStore(postgres: Postgres, name: string, pets: number, program = PROGRAM): Promise<Store> {
  const databaseUrl = await createDatabase(postgres.url, name)
  await petstore(databaseUrl, ['migrate'], program)
  log(`loading ${pets.toLocaleString('en')} pets …`)
  const begun = performance.now()
  const secondsSince = () => (performance.now() - begun) / 1_000
  await loadPets(databaseUrl, pets, (loaded) => log(progressOf(loaded, pets, secondsSince())))
  return {
    databaseUrl,
    postgresPid: postgres.pid,
    loadSeconds: secondsSince(),
    key: await createKey(databaseUrl, program),
  }
}

function progressOf(loaded: number, pets: number, seconds: number) {
  const perSecond = loaded / seconds
  const left = Math.ceil((pets - loaded) / perSecond)
  const next = left > 0 ? `${left} s left` : 'now vacuum and checkpoint'
  return `${loaded.toLocaleString('en')} pets loaded, ${Math.round(perSecond).toLocaleString('en')} a second, ${next}`
}

const started = performance.now()

/** Reports progress on standard error. */
export function log(text: string) {
  const seconds = Math.round((performance.now() - started) / 1_000)
  process.stderr.write(`${String(seconds).padStart(4)} s  ${text}\n`)
}
