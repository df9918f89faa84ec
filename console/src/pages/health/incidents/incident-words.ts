import type { Tone } from '../../../parts/Status.tsx'
import { describeService } from '../health-words.ts'

interface Words {
  readonly tone: Tone
  readonly word: string
}

const states: Readonly<Record<string, Words>> = {
  investigating: { tone: 'bad', word: 'Investigating' },
  identified: { tone: 'warn', word: 'Identified' },
  monitoring: { tone: 'busy', word: 'Monitoring' },
  resolved: { tone: 'good', word: 'Resolved' },
  scheduled: { tone: 'idle', word: 'Scheduled' },
  under_way: { tone: 'busy', word: 'In progress' },
  done: { tone: 'good', word: 'Completed' },
}

/** The state of an incident or maintenance. */
export function describeIncidentState(state: string): Words {
  return states[state] ?? { tone: 'idle', word: state }
}

/** The states an operator can set on an incident, in their order. */
export const incidentStateChoices = ['investigating', 'identified', 'monitoring', 'resolved'].map(
  (value) => ({
    value,
    label: describeIncidentState(value).word,
  }),
)

const impacts: Readonly<Record<string, string>> = {
  none: 'None',
  degraded: 'Degraded performance',
  down: 'Outage',
  maintenance: 'Planned outage',
}

/** The impact of an incident. */
export function describeImpact(impact: string): string {
  return impacts[impact] ?? impact
}

/** The possible impacts, by type. */
export const impactChoices = {
  incident: choicesOf(['degraded', 'down', 'none']),
  maintenance: choicesOf(['maintenance', 'none']),
}

function choicesOf<Impact extends string>(names: readonly Impact[]) {
  return names.map((value) => ({ value, label: describeImpact(value) }))
}

/** The affected services, comma-separated. */
export function describeServices(services: readonly string[]): string {
  return services.length === 0 ? 'No specific service' : services.map(describeService).join(', ')
}

/** A moment in the format of a local time field: `2026-11-15T09:30`. */
export function toLocalField(at: Date): string {
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

/** The moment of a local time field; undefined for an empty or incomplete one. */
export function fromLocalField(text: string): string | undefined {
  const at = new Date(text)
  return text === '' || Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}
