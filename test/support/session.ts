import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'

/** A shell in which one command follows the other, and which ends with the first that fails. */
export class Session {
  readonly #shell: ChildProcessWithoutNullStreams
  #output = ''
  /** Called when there is more of it, or the end. */
  #heard = () => {}
  #count = 0

  constructor(command: readonly [string, ...string[]]) {
    const [program, ...args] = command
    this.#shell = spawn(program, [...args, 'bash', '-euo', 'pipefail'])
    this.#shell.once('close', () => this.#heard())
    this.#shell.stdin.on('error', () => {}) // it has ended; whoever runs something hears of that
    for (const stream of [this.#shell.stdout, this.#shell.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => {
        this.#output += text
        this.#heard()
      })
  }

  /** What it writes, to either of its outputs; fails with that if it fails. */
  async run(command: string) {
    const mark = `--- end of command ${++this.#count} ---`
    this.#output = ''
    // As one word, so that nothing in it can read what comes behind it.
    this.#shell.stdin.write(`eval '${command.replaceAll("'", `'\\''`)}' </dev/null\necho '${mark}'\n`)
    while (!this.#output.includes(mark)) {
      const isOver = this.#shell.exitCode !== null || this.#shell.signalCode !== null
      if (isOver) throw new Error(`This failed, or one before it:\n${command}\n\n${this.#output}`)
      await new Promise<void>((resolve) => (this.#heard = resolve))
    }
    return this.#output.slice(0, this.#output.indexOf(mark))
  }

  end() {
    this.#shell.kill('SIGKILL')
  }
}
