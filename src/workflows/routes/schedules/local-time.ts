/** A moment as a clock in a time zone shows it, with the offset that holds then: `2026-03-29T03:00:00+02:00`. */
export function localTime(moment: Date, timezone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  }).formatToParts(moment)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((it) => it.type === type)?.value ?? ''
  const offset = part('timeZoneName').replace('GMT', '')
  const date = [part('year').padStart(4, '0'), part('month'), part('day')].join('-')
  return `${date}T${part('hour')}:${part('minute')}:${part('second')}${offset === '' ? '+00:00' : offset}`
}
