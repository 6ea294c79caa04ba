import { orders } from '../api.ts'
import { boundariesOf } from '../days.ts'
import { formatCount, formatShortCount, formatWeekday, formatWeekdayLetter } from '../format.ts'
import { useLive } from '../live.ts'
import { texts } from '../texts.ts'
import { Stale } from '../ui/screen.tsx'

const { home: t } = texts
const DAYS = 14
/** The highest bar, in pixels; all widths are shares, so that the text keeps its size on every screen. */
const HEIGHT = 96
const BAR = 5.4
const STEP = (100 - BAR) / (DAYS - 1)

/** What was sold today, yesterday, and on each of the last days. */
export function Sold() {
  const live = useLive(
    async (signal) => {
      const boundaries = boundariesOf(DAYS, new Date())
      const { counts } = await orders.counts({ status: 'completed', boundaries, signal })
      return boundaries.slice(0, DAYS).map((day, n) => ({ day, sold: counts[n]?.count ?? 0 }))
    },
    [],
    ({ type }) => type === 'order.completed',
  )
  const days = live.data.value
  return (
    <section class="card sold">
      <h2>{t.soldToday}</h2>
      <Stale live={live} rows={5} />
      {days && (
        <>
          <p class="figure">
            {formatCount(days.at(-1)?.sold ?? 0)} <span>{t.yesterday(formatCount(days.at(-2)?.sold ?? 0))}</span>
          </p>
          <Chart days={days} />
        </>
      )}
    </section>
  )
}

function Chart({ days }: { days: readonly { day: Date; sold: number }[] }) {
  const most = Math.max(1, ...days.map(({ sold }) => sold))
  const words = days.map(({ day, sold }) => `${formatWeekday(day)} ${formatCount(sold)}`).join(', ')
  return (
    // Attributes, not styles: the policy of the page allows no others.
    <svg class="chart" role="img" aria-label={t.chart(words)}>
      {days.map(({ day, sold }, n) => {
        const height = Math.max(2, (sold / most) * HEIGHT)
        const middle = `${n * STEP + BAR / 2}%`
        return (
          <g key={n} class={n === days.length - 1 ? 'today' : ''}>
            <rect x={`${n * STEP}%`} y={HEIGHT + 20 - height} width={`${BAR}%`} height={height} rx="3" />
            <text x={middle} y={HEIGHT + 13 - height}>
              {formatShortCount(sold)}
            </text>
            <text x={middle} y={HEIGHT + 38}>
              {formatWeekdayLetter(day)}
            </text>
          </g>
        )
      })}
    </svg>
  )
}
