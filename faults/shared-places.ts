import { registerHooks } from 'node:module'

// Given to a service by `node --import`: its stores share all places, as if there were one limit for the process. The service itself knows
// nothing of it.

const FILE = '/src/http/gate/admission.ts'
const [SHARE, NONE] = ['stores.length > 1 ? Math.ceil(most / 2) : most', 'most']

registerHooks({
  load(url, context, nextLoad) {
    const loaded = nextLoad(url, context)
    if (!url.endsWith(FILE)) return loaded
    const source = Buffer.from(loaded.source as Uint8Array).toString()
    if (!source.includes(SHARE)) throw new Error(`${FILE} no longer contains ${SHARE}`)
    return { ...loaded, source: source.replace(SHARE, NONE) }
  },
})
