import type { Result } from './compare.ts'
import type { Rate } from './measure.ts'
import { whole } from './report.ts'

const [WIDTH, HEIGHT, BASE, TOP] = [760, 380, 320, 60]
const BAR = 50
const STYLE = `
    .name { font-size: 13px; font-weight: 600 }
    .bare { fill: #9aa5b1 }
    .service { fill: #2f855a }
    .floor { stroke: #b7791f; stroke-dasharray: 5 4 }`

/** Requests a second of bare PostgreSQL and of the service, side by side for each operation. */
export function throughputPlot(results: Result[], floor: Rate, title: string) {
  const most = Math.max(floor.perSecond, ...results.flatMap(({ bare, service }) => [bare.perSecond, service.perSecond]))
  const y = (perSecond: number) => BASE - ((BASE - TOP) * perSecond) / most
  const step = (WIDTH - 80) / results.length
  const bar = (x: number, { perSecond }: Rate, kind: string, label: string) => `
  <rect class="${kind}" x="${x}" y="${round(y(perSecond))}" width="${BAR}" height="${round(BASE - y(perSecond))}"/>
  <text x="${x + BAR / 2}" y="${round(y(perSecond) - 6)}">${label}</text>`
  const groups = results.map(({ operation, bare, service, ratio }, i) => {
    const middle = round(60 + step * (i + 0.5))
    return `${bar(middle - BAR - 3, bare, 'bare', whole(bare.perSecond))}
  ${bar(middle + 3, service, 'service', whole(service.perSecond))}
  <text class="name" x="${middle}" y="${BASE + 20}">${operation}</text>
  <text class="name" x="${middle}" y="${BASE + 38}">${ratio.toFixed(2)} ×</text>`
  })
  const floorY = round(y(floor.perSecond))
  return svg(
    title,
    STYLE,
    `<line class="floor" x1="20" x2="${WIDTH - 20}" y1="${floorY}" y2="${floorY}"/>
  <text class="start" x="22" y="${round(floorY - 6)}">node:http with a constant: ${whole(floor.perSecond)}</text>
  ${groups.join('\n  ')}
  <rect class="bare" x="20" y="${HEIGHT - 16}" width="12" height="12"/>
  <text class="start" x="38" y="${HEIGHT - 6}">PostgreSQL alone, pgbench</text>
  <rect class="service" x="230" y="${HEIGHT - 16}" width="12" height="12"/>
  <text class="start" x="248" y="${HEIGHT - 6}">Petstore on the same PostgreSQL, wrk</text>`,
  )
}

/** A picture of the common size and look, readable on light and on dark. */
export function svg(title: string, style: string, content: string) {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}">
  <style>
    text { font: 12px system-ui, sans-serif; text-anchor: middle; fill: #555 }
    .title { font-size: 15px; font-weight: 600; text-anchor: start }
    .start { text-anchor: start }${style}
    @media (prefers-color-scheme: dark) { text { fill: #cbd5e0 } }
  </style>
  <text class="title" x="20" y="24">${title}</text>
  ${content}
</svg>
`
}

export function round(value: number) {
  return Math.round(value * 10) / 10
}
