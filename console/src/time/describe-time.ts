const steps = [
  { unit: 'd', seconds: 86_400 },
  { unit: 'h', seconds: 3_600 },
  { unit: 'min', seconds: 60 },
  { unit: 's', seconds: 1 },
] as const

/** The distance of a time from now, in its largest unit: `12 s ago`, `in 3 min`, `now`. */
export function describeDistance(at: Date, now: Date): string {
  const seconds = Math.round((at.getTime() - now.getTime()) / 1000)
  const step = steps.find((it) => Math.abs(seconds) >= it.seconds)
  if (step === undefined) return 'now'
  const amount = `${Math.floor(Math.abs(seconds) / step.seconds)} ${step.unit}`
  return seconds < 0 ? `${amount} ago` : `in ${amount}`
}

/** A duration in its two largest units: `3 d 4 h`, `1 min 30 s`, `250 ms`. */
export function describeDuration(seconds: number): string {
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`
  const whole = Math.round(seconds)
  const first = steps.findIndex((it) => whole >= it.seconds)
  return steps
    .slice(first, first + 2)
    .map(({ unit, seconds: length }, index) => ({
      unit,
      amount: Math.floor((index === 0 ? whole : whole % (steps[first]?.seconds ?? 1)) / length),
    }))
    .filter(({ amount }) => amount > 0)
    .map(({ unit, amount }) => `${amount} ${unit}`)
    .join(' ')
}

/** The exact time with date, seconds and time zone, in the format of the browser. */
export function describeMoment(at: Date): string {
  return at.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'long' })
}

/** The time to the minute, for narrow spaces. */
export function describeMinute(at: Date): string {
  return at.toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}

/** A UTC day such as `2026-11-15` in the format `Sun 15 Nov`. */
export function describeDay(day: string): string {
  return write(day, { weekday: 'short', day: 'numeric', month: 'short' })
}

/** A day without the day of the week. */
export function describeShortDay(day: string): string {
  return write(day, { day: 'numeric', month: 'short' })
}

function write(day: string, format: Intl.DateTimeFormatOptions): string {
  return new Date(day).toLocaleDateString(undefined, { ...format, timeZone: 'UTC' })
}
