import type { Impact, Incident, IncidentState } from '../incidents/incident.ts'
import { publicNameOf } from '../incidents/service-texts.ts'
import { isServiceName } from '../services/service.ts'

export const incidentStateLabels: Readonly<Record<IncidentState, string>> = {
  investigating: 'Investigating',
  identified: 'Identified',
  monitoring: 'Monitoring',
  resolved: 'Resolved',
  scheduled: 'Planned',
  under_way: 'In progress',
  done: 'Completed',
}

export const impactLabels: Readonly<Record<Impact, string>> = {
  none: 'No effect',
  degraded: 'Impaired',
  down: 'Not available',
  maintenance: 'Maintenance',
}

/** The public names of the affected services. */
export function publicNamesOf({ services }: Pick<Incident, 'services'>): string[] {
  return services.filter(isServiceName).map(publicNameOf)
}

const dateAndTime = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
})
const dayOnly = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
})

const timeOnly = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', hour: '2-digit', minute: '2-digit' })

export function showTime(at: Date): string {
  return `${dateAndTime.format(at)} UTC`
}

/** A period within one day shows the date once. */
export function showSpan(from: Date, to: Date): readonly [string, string] {
  if (showDay(from) !== showDay(to)) return [showTime(from), showTime(to)]
  return [dateAndTime.format(from), `${timeOnly.format(to)} UTC`]
}

export function showDay(at: Date): string {
  return dayOnly.format(at)
}

/** Rounds down, so that less than 100 % never shows as 100 %. */
export function showPercent(percent: number | null): string {
  if (percent === null) return 'no data'
  const shown = percent === 100 ? '100' : Math.min(99.99, Math.floor(percent * 100) / 100).toFixed(2)
  return `${shown} %`
}
