const started = performance.now()

/** Prints progress for a person. */
export function say(text: string) {
  const seconds = Math.round((performance.now() - started) / 1_000)
  process.stderr.write(`${String(seconds).padStart(4)} s  ${text}\n`)
}
