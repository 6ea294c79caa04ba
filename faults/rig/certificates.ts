import { join } from 'node:path'
import { addressOf, DEPLOY, NODE_NAMES, run, type Site } from './site.ts'

/** Certificates of the nodes, made by the script that an operator runs. */
export async function makeCertificates(site: Site) {
  const folder = certificatesOf(site)
  await run(join(DEPLOY, 'make-certificates'), folder, ...NODE_NAMES.map((name) => `${name}=${addressOf(name)}`))
  await run('chown', '--recursive', 'postgres:', folder)
}

/** All of them lie here: `ca.crt`, and `n1.crt` with `n1.key` where the node has `node.crt` and `node.key`. */
export function certificatesOf({ directory }: Site) {
  return join(directory, 'certificates')
}
