import type { ChartPlace } from '../../parts/charts/time-chart-props.ts'
import { describeDay, describeShortDay } from '../../time/describe-time.ts'

const minutesOf = { minute: 1, quarter: 15, hour: 60, day: 1440 } as const

type Grain = keyof typeof minutesOf

/** The label of a period: a day in UTC, or a shorter one in local time. */
export function nameStretch(at: string, grain: Grain): ChartPlace {
  if (grain === 'day') return { name: describeDay(at), shortName: describeShortDay(at) }
  const from = new Date(at)
  const to = new Date(from.getTime() + minutesOf[grain] * 60_000)
  return { name: `${clockTime(from)} to ${clockTime(to)}`, shortName: clockTime(from) }
}

function clockTime(at: Date): string {
  return at.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
}
