import { parseDuration } from './duration.ts'
import { UNSAFE_SETTINGS } from './unsafe-settings.ts'

/* How the values of variables are read. Each returns undefined for what it does not accept. */

const DAY_MS = 86_400_000

export function parseDatabaseUrl(text: string) {
  const url = URL.parse(text)
  // Without a name, PostgreSQL would use the name of the user: not the intended database. With an @ in it, it is part of a password.
  return url && /^postgres(?:ql)?:$/.test(url.protocol) && /^\/[^/@][^@]*$/.test(url.pathname) ? text : undefined
}

export function parseRedisUrl(text: string) {
  const url = URL.parse(text)
  return url && /^rediss?:$/.test(url.protocol) && /^\/?[0-9]*$/.test(url.pathname) ? text : undefined
}

export function parseUnsafeSettings(text: string) {
  const names = text.split(',').map((name) => name.trim())
  const settings = UNSAFE_SETTINGS.filter((setting) => names.includes(setting))
  return settings.length === new Set(names).size ? settings : undefined
}

export function parsePort(text: string) {
  const port = /^[0-9]{1,5}$/.test(text) ? Number(text) : Number.NaN
  return port <= 65_535 ? port : undefined
}

export function parseWorkers(text: string) {
  const workers = /^[0-9]{1,2}$/.test(text) ? Number(text) : Number.NaN
  return workers >= 1 && workers <= 64 ? workers : undefined
}

/** One for each kind of work at least. */
export function parseConnections(text: string) {
  const connections = /^[0-9]{1,3}$/.test(text) ? Number(text) : Number.NaN
  return connections >= 3 && connections <= 100 ? connections : undefined
}

export function parseMaxInFlight(text: string) {
  const requests = /^[0-9]{1,6}$/.test(text) ? Number(text) : Number.NaN
  return requests >= 1 && requests <= 100_000 ? requests : undefined
}

export function parseDrainDelay(text: string) {
  const seconds = /^[0-9]{1,3}$/.test(text) ? Number(text) : Number.NaN
  return seconds <= 300 ? seconds * 1_000 : undefined
}

export function parseRetention(text: string) {
  const milliseconds = parseDuration(text)
  return milliseconds !== undefined && milliseconds <= 3_650 * DAY_MS ? milliseconds : undefined
}

export function parseMasterSecret(text: string) {
  return text.length >= 32 ? text : undefined
}

export function parseKeyMode(text: string) {
  return text === 'any' || text === 'live' || text === 'test' ? text : undefined
}

export function parseSwitch(text: string) {
  return text === 'on' || text === 'off' ? text : undefined
}

export function parseBaseUrl(text: string) {
  const url = URL.parse(text)
  const isPlain = url && /^https?:$/.test(url.protocol) && !url.search && !url.hash && !url.username && !url.password
  return isPlain ? url.href.replace(/\/+$/, '') : undefined
}

/** Checks only the form of a mail address. */
export function parseContact(text: string) {
  const url = URL.parse(text)
  const isMail = url?.protocol === 'mailto:' && /^[^\s@?]+@[^\s@?]+$/.test(url.pathname)
  const isPage = url?.protocol === 'https:' && !url.username && !url.password
  return isMail || isPage ? url.href : undefined
}

export function parseShare(text: string) {
  const share = /^(?:0|1|[01]?\.[0-9]{1,6})$/.test(text) ? Number(text) : Number.NaN
  return share <= 1 ? share : undefined
}

export function parseOrigins(text: string) {
  const origins = text.split(',').map((origin) => origin.trim())
  return origins.every((origin) => URL.parse(origin)?.origin === origin) ? origins : undefined
}
