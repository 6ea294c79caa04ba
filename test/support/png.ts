import { crc32, deflateSync } from 'node:zlib'

export interface Pixels {
  width: number
  height: number
  /** Red, green, blue and alpha of each. */
  data: Uint8Array
}

const MAX_COLOURS = 256
const MAX_FREQUENT = 192

/** A PNG with a palette of the most frequent colours, in which a screenshot takes a third of the bytes. */
export function encodePng({ width, height, data }: Pixels) {
  const colours = new Uint32Array(width * height)
  const counts = new Map<number, number>()
  for (let at = 0; at < colours.length; at++) {
    const colour = ((data[at * 4] ?? 0) << 16) | ((data[at * 4 + 1] ?? 0) << 8) | (data[at * 4 + 2] ?? 0)
    colours[at] = colour
    counts.set(colour, (counts.get(colour) ?? 0) + 1)
  }
  // Equal counts are told apart by the colour, so that the same pixels always make the same file.
  const frequent = [...counts].toSorted(([a, n], [b, m]) => m - n || a - b).map(([colour]) => colour)
  const palette = frequent.slice(0, MAX_FREQUENT)
  addRare(palette, frequent)
  const indexes = new Map(frequent.map((colour) => [colour, nearest(palette, colour)]))
  const rows = Buffer.alloc(height * (width + 1))
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + x + 1] = indexes.get(colours[y * width + x] ?? 0) ?? 0
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  // Eight bits for each pixel, which are an index.
  header.set([8, 3, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('PLTE', Buffer.from(palette.flatMap((colour) => parts(colour)))),
    chunk('IDAT', deflateSync(rows, { level: 9 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Few pixels have them, but nothing else is like them: an emoji among grey text. */
function addRare(palette: number[], all: readonly number[]) {
  const distances = all.map((colour) => Math.min(...palette.map((known) => distance(known, colour))))
  while (palette.length < Math.min(MAX_COLOURS, all.length)) {
    const farthest = all[distances.indexOf(Math.max(...distances))] ?? 0
    palette.push(farthest)
    for (const [index, colour] of all.entries())
      distances[index] = Math.min(distances[index] ?? 0, distance(farthest, colour))
  }
}

function distance(one: number, other: number) {
  const [[a, b, c], [d, e, f]] = [parts(one), parts(other)]
  return (a - d) ** 2 + (b - e) ** 2 + (c - f) ** 2
}

const parts = (colour: number): [number, number, number] => [colour >> 16, (colour >> 8) & 255, colour & 255]

function nearest(palette: readonly number[], colour: number) {
  const distances = palette.map((candidate) => distance(candidate, colour))
  return distances.indexOf(Math.min(...distances))
}

function chunk(type: string, content: Buffer) {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), content])
  const ends = Buffer.alloc(8)
  ends.writeUInt32BE(content.length, 0)
  ends.writeUInt32BE(crc32(body), 4)
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)])
}
