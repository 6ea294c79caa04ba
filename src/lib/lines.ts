const LINE_END = 0x0a

/**
 * Splits a stream of bytes into lines, without their ends. Of a line longer than `maxBytes` only the first `maxBytes + 1`
 * are kept, enough to see that it is too long. The buffer of a line is valid until `onLine` returns.
 */
export function lineSplitter(maxBytes: number, onLine: (line: Buffer) => void) {
  let partial = Buffer.alloc(0)

  const append = (bytes: Buffer) => {
    const kept = bytes.subarray(0, maxBytes + 1 - partial.length)
    if (kept.length > 0) partial = Buffer.concat([partial, kept])
  }
  /** The end of the input: the rest after the last line end is a line too, unless it is empty. */
  const end = () => {
    const line = partial
    partial = Buffer.alloc(0)
    if (line.length > 0) onLine(line)
  }
  const push = (piece: Buffer) => {
    let start = 0
    let stop = piece.indexOf(LINE_END)
    if (stop >= 0 && partial.length > 0) {
      append(piece.subarray(0, stop))
      end()
      start = stop + 1
      stop = piece.indexOf(LINE_END, start)
    }
    while (stop >= 0) {
      onLine(piece.subarray(start, stop))
      start = stop + 1
      stop = piece.indexOf(LINE_END, start)
    }
    append(piece.subarray(start))
  }
  return { push, end }
}

/** The length of the complete lines at the beginning of this piece, line ends included. */
export function completeLinesLength(piece: Buffer) {
  return piece.lastIndexOf(LINE_END) + 1
}

/** The first line, or everything if there is no line end. */
export function firstLine(bytes: Buffer) {
  const end = bytes.indexOf(LINE_END)
  return end < 0 ? bytes : bytes.subarray(0, end)
}

export function countLines(piece: Buffer) {
  let lines = 0
  for (let at = piece.indexOf(LINE_END); at >= 0; at = piece.indexOf(LINE_END, at + 1)) lines++
  return lines
}
