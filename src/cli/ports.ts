import type { Config } from '../config.ts'
import { CommandError } from './failure.ts'

const EVERYWHERE = ['0.0.0.0', '::']
const LOCALHOST = ['127.0.0.1', '::1']

/** The system would say that another process has the port. */
export function requireTwoPorts({ host, port, adminHost, adminPort }: Config) {
  if (port === 0 || port !== adminPort || !isShared(host, adminHost)) return
  throw new CommandError(
    `PORT and ADMIN_PORT are both ${port}, but metrics need a port of their own. Set ADMIN_PORT to another one, or to 0 to turn metrics off.`,
  )
}

/** Whether two hosts have an address in common. */
function isShared(one: string, other: string) {
  const addresses = addressesOf(one)
  return (
    [one, other].some((each) => EVERYWHERE.includes(each)) ||
    addressesOf(other).some((each) => addresses.includes(each))
  )
}

function addressesOf(host: string) {
  return host === 'localhost' ? LOCALHOST : [host]
}
