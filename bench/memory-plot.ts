import { round, svg } from './plot.ts'

const [LEFT, RIGHT, BASE, TOP] = [60, 740, 330, 60]
const EVERY = 5
const STYLE = `
    polyline { fill: none; stroke-width: 1.5 }
    .line0 { stroke: #9aa5b1 } .line1 { stroke: #2f855a } .line2 { stroke: #2b6cb0 } .line3 { stroke: #6b46c1 }
    rect.line0 { fill: #9aa5b1 } rect.line1 { fill: #2f855a } rect.line2 { fill: #2b6cb0 } rect.line3 { fill: #6b46c1 }
    .bound { stroke: #b7791f; stroke-dasharray: 5 4 }`

/** The resident megabytes of a process, second by second. */
export interface Series {
  name: string
  megabytes: number[]
}

/** One line for each process over the minutes, below the line that none may cross. */
export function memoryPlot(series: Series[], bound: number, title: string) {
  const seconds = Math.max(...series.map(({ megabytes }) => megabytes.length))
  const most = Math.max(bound, ...series.flatMap(({ megabytes }) => megabytes))
  const x = (second: number) => round(LEFT + ((RIGHT - LEFT) * second) / seconds)
  const y = (megabytes: number) => round(BASE - ((BASE - TOP) * megabytes) / most)
  const lines = series.map(({ megabytes }, i) => {
    const points = megabytes.flatMap((value, second) => (second % EVERY === 0 ? `${x(second)},${y(value)}` : []))
    return `<polyline class="line${i % 4}" points="${points.join(' ')}"/>`
  })
  const names = series.map(
    ({ name }, i) => `<rect class="line${i % 4}" x="${20 + 150 * i}" y="364" width="12" height="12"/>
  <text class="start" x="${38 + 150 * i}" y="374">${name}</text>`,
  )
  const minutes = Array.from({ length: Math.floor(seconds / 60) + 1 }, (_, minute) => minute)
  return svg(
    title,
    STYLE,
    `<line class="bound" x1="${LEFT}" x2="${RIGHT}" y1="${y(bound)}" y2="${y(bound)}"/>
  ${[0, bound / 2, bound].map((value) => `<text x="36" y="${y(value) + 4}">${value} MB</text>`).join('\n  ')}
  ${minutes.map((minute) => `<text x="${x(minute * 60)}" y="${BASE + 18}">${minute} min</text>`).join('\n  ')}
  ${lines.join('\n  ')}
  ${names.join('\n  ')}`,
  )
}
