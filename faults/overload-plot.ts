import { round, svg } from '../bench/plot.ts'

const [LEFT, RIGHT, BASE, TOP] = [70, 720, 310, 60]
const LINES = [
  { way: 'bare', name: 'the service alone', colour: '#2b6cb0' },
  { way: 'balanced', name: 'behind the balancer of deploy/ha', colour: '#2f855a' },
] as const
const STYLE = `
    polyline { fill: none; stroke-width: 2 }
    .axis { stroke: #9aa5b1 }`

/** A point of a line. */
interface Point {
  /** Times the capacity. */
  times: number
  /** Pets a second that were confirmed in time. */
  goodput: number
}

/** Goodput over the load that was offered: a service that holds out stays level, one that does not falls to the ground. */
export function overloadPlot(levels: Record<'bare' | 'balanced', Point[]>) {
  const most = Math.max(...[...levels.bare, ...levels.balanced].map(({ goodput }) => goodput))
  const highest = Math.max(...levels.bare.map(({ times }) => times))
  const x = (times: number) => round(LEFT + ((RIGHT - LEFT) * times) / highest)
  const y = (perSecond: number) => round(BASE - ((BASE - TOP) * perSecond) / most)
  const lines = LINES.map(({ way, name, colour }, i) => {
    const points = levels[way].map(({ times, goodput }) => `${x(times)},${y(goodput)}`).join(' ')
    return `<polyline stroke="${colour}" points="${points}"/>
  <rect fill="${colour}" x="${20 + 200 * i}" y="354" width="12" height="12"/>
  <text class="start" x="${38 + 200 * i}" y="364">${name}</text>`
  })
  return svg(
    'Creates a second confirmed within two seconds, by the load that was offered',
    STYLE,
    `<line class="axis" x1="${LEFT}" x2="${RIGHT}" y1="${BASE}" y2="${BASE}"/>
  ${[0, most / 2, most].map((value) => `<text x="36" y="${y(value) + 4}">${Math.round(value)}</text>`).join('\n  ')}
  ${levels.bare.map(({ times }) => `<text x="${x(times)}" y="${BASE + 18}">${times}×</text>`).join('\n  ')}
  ${lines.join('\n  ')}`,
  )
}
