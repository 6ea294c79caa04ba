const LINE_END = 0x0a

/**
 * Cuts bytes that arrive in pieces into lines, without their ends. Of a line longer than `most` bytes only the first
 * `most + 1` are kept, enough to see that it is too long. A line may be kept no longer than until `onLine` returns.
 */
export function lineCutter(most: number, onLine: (line: Buffer) => void) {
  let begun = Buffer.alloc(0)

  const append = (bytes: Buffer) => {
    const kept = bytes.subarray(0, most + 1 - begun.length)
    if (kept.length > 0) begun = Buffer.concat([begun, kept])
  }
  /** Nothing follows: what stands behind the last line end is a line too, if anything does. */
  const end = () => {
    const line = begun
    begun = Buffer.alloc(0)
    if (line.length > 0) onLine(line)
  }
  const push = (piece: Buffer) => {
    let start = 0
    let stop = piece.indexOf(LINE_END)
    if (stop >= 0 && begun.length > 0) {
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

/** How many of these bytes stand up to the last end of a line, that included. */
export function wholeLines(piece: Buffer) {
  return piece.lastIndexOf(LINE_END) + 1
}

/** The first line, or all there is. */
export function firstLine(bytes: Buffer) {
  const end = bytes.indexOf(LINE_END)
  return end < 0 ? bytes : bytes.subarray(0, end)
}

export function countLines(piece: Buffer) {
  let lines = 0
  for (let at = piece.indexOf(LINE_END); at >= 0; at = piece.indexOf(LINE_END, at + 1)) lines++
  return lines
}
