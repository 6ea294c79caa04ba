import { medianRate } from './measure.ts'
import { round, svg } from './plot.ts'
import { byOperation, type Cell, sizeName } from './scale-report.ts'

const [LEFT, RIGHT, BASE, TOP] = [70, 720, 310, 60]
const COLOURS = ['#2f855a', '#2b6cb0', '#6b46c1', '#b7791f']
const STYLE = `
    polyline { fill: none; stroke-width: 2 }
    .axis { stroke: #9aa5b1 }`

/** One line for each operation over the sizes, from zero: flat is what looks flat. */
export function scalePlot(cells: Cell[], title: string) {
  const sizes = [...new Set(cells.map(({ pets }) => pets))]
  const p50 = ({ service }: Cell) => medianRate(service).p50
  const most = Math.max(...cells.map(p50))
  const [low, high] = [Math.log10(Math.min(...sizes)), Math.log10(Math.max(...sizes))]
  const x = (pets: number) => round(LEFT + ((RIGHT - LEFT) * (Math.log10(pets) - low)) / (high - low))
  const y = (ms: number) => round(BASE - ((BASE - TOP) * ms) / most)
  const lines = Array.from(byOperation(cells), ([operation, ofOperation], i) => {
    const colour = COLOURS[i % COLOURS.length]
    const points = ofOperation.map((cell) => `${x(cell.pets)},${y(p50(cell))}`).join(' ')
    return `<polyline stroke="${colour}" points="${points}"/>
  <rect fill="${colour}" x="${20 + 150 * i}" y="354" width="12" height="12"/>
  <text class="start" x="${38 + 150 * i}" y="364">${operation}</text>`
  })
  return svg(
    title,
    STYLE,
    `<line class="axis" x1="${LEFT}" x2="${RIGHT}" y1="${BASE}" y2="${BASE}"/>
  ${[0, most / 2, most].map((ms) => `<text x="36" y="${y(ms) + 4}">${ms.toFixed(2)} ms</text>`).join('\n  ')}
  ${sizes.map((pets) => `<text x="${x(pets)}" y="${BASE + 18}">${sizeName(pets)}</text>`).join('\n  ')}
  ${lines.join('\n  ')}`,
  )
}
