import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'

const OWN = new URL('..', import.meta.url).pathname
const run = promisify(execFile)

/** The program of another version of this repository, in a temporary checkout that ends with `resources`. */
export async function programAt(resources: AsyncDisposableStack, ref: string) {
  const directory = await mkdtemp(join(tmpdir(), 'petstore-bench-'))
  resources.defer(() => rm(directory, { recursive: true }))
  const checkout = join(directory, 'checkout')
  await git('worktree', 'add', '--detach', checkout, ref)
  resources.defer(async () => void (await git('worktree', 'remove', '--force', checkout)))
  await providePackages(checkout)
  const { bin } = JSON.parse(await readFile(join(checkout, 'package.json'), 'utf8')) as { bin: { petstore: string } }
  return join(checkout, bin.petstore)
}

/** Whether a version of this repository has a file. */
export async function hasFile(ref: string, path: string) {
  const { stdout } = await git('ls-tree', '--name-only', ref, '--', path)
  return stdout !== ''
}

/** The packages of this checkout, where they are the same; otherwise those that the program needs to run. */
async function providePackages(checkout: string) {
  const [own, other] = await Promise.all(
    [OWN, checkout].map((root) => readFile(join(root, 'package-lock.json'), 'utf8')),
  )
  if (own === other) await symlink(join(OWN, 'node_modules'), join(checkout, 'node_modules'))
  else await run('npm', ['ci', '--omit=dev', '--omit=optional', '--no-audit', '--no-fund'], { cwd: checkout })
}

function git(...args: string[]) {
  return run('git', args, { cwd: OWN })
}
