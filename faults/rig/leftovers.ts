import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { namespaceOf, PLACES, processesIn, run, SITE_PREFIX, type Site, signal } from './site.ts'

/** Of its directory, and what the names of its namespaces begin with. */
const SITE_NAME = new RegExp(`^(${SITE_PREFIX}\\w{6})(?:$|-)`)

/** A directory for a new rig, with the id of the process that owns it. */
export async function claimSite(): Promise<Site> {
  const directory = await mkdtemp(join(tmpdir(), SITE_PREFIX))
  await writeFile(join(directory, 'owner'), String(process.pid))
  return { directory }
}

/** Ends every process of a rig, however it was left, and removes its network, its mounts and its files. */
export async function clearSite(site: Site) {
  const present = (await run('ip', 'netns', 'list')).split(/\s+/)
  const places = PLACES.filter((place) => present.includes(namespaceOf(site, place)))
  // A process may start another while it is being killed: look again until none is left.
  for (;;) {
    const pids = (await Promise.all(places.map((place) => processesIn(site, place)))).flat()
    if (pids.length === 0) break
    signal(pids, 'SIGKILL')
    await sleep(50)
  }
  for (const place of places) await run('ip', 'netns', 'del', namespaceOf(site, place))
  const mounts = await readFile('/proc/mounts', 'utf8')
  const mounted = Array.from(mounts.matchAll(/^\S+ (\S+) /gm), ([, path = '']) => path)
  for (const path of mounted) if (path.startsWith(`${site.directory}/`)) await run('umount', path)
  await rm(site.directory, { recursive: true, force: true })
}

/** Removes the rigs of runners that were killed before they could clean up, but not of those that still run. */
export async function clearLeftovers(say: (text: string) => void) {
  const known = [...(await readdir(tmpdir())), ...(await run('ip', 'netns', 'list')).split(/\s+/)]
  const names = known.flatMap((name) => SITE_NAME.exec(name)?.[1] ?? [])
  for (const name of new Set(names)) {
    const site = { directory: join(tmpdir(), name) }
    if (await isOwned(site)) continue
    say(`removing what an earlier run left: ${name}`)
    await clearSite(site)
  }
}

async function isOwned({ directory }: Site) {
  try {
    const pid = await readFile(join(directory, 'owner'), 'utf8')
    return (await readFile(`/proc/${pid}/cmdline`, 'utf8')).includes('faults/main.ts')
  } catch {
    return false // no such file: it has no owner; no such process: the owner has exited
  }
}
