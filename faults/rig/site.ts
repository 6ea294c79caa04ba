import { execFile } from 'node:child_process'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'

/** The files that an operator takes; the rig runs the very same ones. */
export const DEPLOY = new URL('../../deploy/ha/', import.meta.url).pathname

export const NODE_NAMES = ['n1', 'n2', 'n3'] as const
export type NodeName = (typeof NODE_NAMES)[number]

/** A namespace of the network: a node, the one that the balancer, the services and the runner share, or a stranger's. */
export type Place = NodeName | 'balancer' | 'intruder'
export const PLACES: readonly Place[] = ['balancer', ...NODE_NAMES, 'intruder']

// As deploy/ha has them. They exist in our namespaces only, so any number of rigs can have the same.
export const BALANCER_ADDRESS = '10.0.0.254'
export const SERVICE_ADDRESSES = ['10.0.0.11', '10.0.0.12', '10.0.0.13']
/** Clients have their own addresses: the balancer limits each of them. */
export const CALLER_ADDRESSES = Array.from({ length: 10 }, (_, i) => `10.0.0.${101 + i}`)
/** In the same network, and in no file of deploy/ha. */
const INTRUDER_ADDRESS = '10.0.0.66'

/** Where one rig lives: a directory of its own, whose name its namespaces bear too. */
export interface Site {
  directory: string
}

export const SITE_PREFIX = 'petstore-faults-'

export function namespaceOf({ directory }: Site, place: Place) {
  return `${basename(directory)}-${place}`
}

export function addressOf(place: NodeName | 'intruder') {
  return place === 'intruder' ? INTRUDER_ADDRESS : `10.0.0.${place.slice(1)}`
}

/** What puts a command into a place; it becomes that command, with the same process id. */
export function enter(site: Site, place: Place) {
  return ['nsenter', `--net=/run/netns/${namespaceOf(site, place)}`]
}

/** What runs a command as the user that PostgreSQL runs as. */
export const AS_POSTGRES = ['setpriv', '--reuid=postgres', '--regid=postgres', '--init-groups'] as const

export function logOf(site: Site, name: string) {
  return join(site.directory, 'log', name)
}

/** A command of the system, to its end. */
export async function run(program: string, ...args: string[]) {
  const { stdout } = await promisify(execFile)(program, args, { maxBuffer: 2 ** 24 })
  return stdout
}

/** The command in a place, to its end. */
export async function runIn(site: Site, place: Place, ...command: string[]) {
  const [program, ...args] = [...enter(site, place), ...command] as [string, ...string[]]
  return await run(program, ...args)
}

/** Every process in a place. */
export async function processesIn(site: Site, place: Place) {
  const pids = await run('ip', 'netns', 'pids', namespaceOf(site, place))
  return pids.split('\n').filter(Boolean).map(Number)
}

export function signal(pids: Iterable<number>, name: NodeJS.Signals) {
  for (const pid of pids) {
    try {
      process.kill(pid, name)
    } catch {
      // It has ended meanwhile.
    }
  }
}
