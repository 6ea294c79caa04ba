const started = performance.now()

/** Tells a person what is being done. */
export function say(text: string) {
  const seconds = Math.round((performance.now() - started) / 1_000)
  process.stderr.write(`${String(seconds).padStart(4)} s  ${text}\n`)
}
