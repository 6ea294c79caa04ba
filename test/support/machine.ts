import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { backUp } from './backup.ts'

const SIZE = 100e9

/**
 * What node_exporter reports of a machine that has a disk and a backup: a disk can't be filled here, so its size is made up. The
 * backup is one of deploy/postgres/backup, whose file is reported as it is.
 */
export async function startMachine(directory: string) {
  const [store, metrics] = [join(directory, 'store'), join(directory, 'backup.prom')]
  await mkdir(store, { recursive: true })
  await backUp(store, metrics)
  const state = { freeShare: 0.5 }
  const server = createServer((_request, response) => {
    const disk = '{device="/dev/vda1",fstype="ext4",mountpoint="/"}'
    response.setHeader('content-type', 'text/plain; version=0.0.4')
    response.end(`node_filesystem_avail_bytes${disk} ${SIZE * state.freeShare}
node_filesystem_size_bytes${disk} ${SIZE}
${readFileSync(metrics, 'utf8')}`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return Object.assign(state, {
    target: `127.0.0.1:${port}`,
    /** As if the backup had been completed that long ago. */
    async ageBackup(seconds: number) {
      const text = await readFile(metrics, 'utf8')
      await writeFile(
        metrics,
        text.replace(/\d+$/m, (at) => String(Number(at) - seconds)),
      )
    },
    [Symbol.dispose]() {
      server.close()
      server.closeAllConnections()
    },
  })
}
