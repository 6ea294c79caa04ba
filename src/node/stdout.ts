/**
 * Makes a write to a full pipe or socket fail instead of wait. Before every write: a process shares this setting with its
 * children, and Node resets it whenever one starts or exits.
 */
export function unblockStdout() {
  const stdout: typeof process.stdout & { _handle?: { setBlocking?: (isBlocking: boolean) => void } } = process.stdout
  stdout._handle?.setBlocking?.(false)
}
