import { readBuildInfo } from '../lib/build-info.ts'

export function version() {
  const { version: number, commit } = readBuildInfo()
  return `petstore ${number} (commit ${commit})\n`
}
