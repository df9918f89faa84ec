/** The values of the API. `under_way` is stored, so it keeps its name. */
export const incidentKinds = ['incident', 'maintenance'] as const
export const incidentStates = ['investigating', 'identified', 'monitoring', 'resolved'] as const
export const maintenanceStates = ['scheduled', 'under_way', 'done'] as const
export const incidentImpacts = ['none', 'degraded', 'down'] as const
export const maintenanceImpacts = ['none', 'maintenance'] as const
export const authors = ['prober', 'account'] as const

export type IncidentKind = (typeof incidentKinds)[number]
export type IncidentState = (typeof incidentStates)[number] | (typeof maintenanceStates)[number]
export type Impact = (typeof incidentImpacts)[number] | (typeof maintenanceImpacts)[number]
type Author = (typeof authors)[number]

/** An incident or planned maintenance. */
export interface Incident {
  readonly id: string
  readonly kind: IncidentKind
  readonly title: string
  readonly impact: Impact
  readonly services: readonly string[]
  readonly state: IncidentState
  readonly openedBy: Author
  /** The account that opened it; null when the prober did. */
  readonly accountId: string | null
  readonly openedAt: Date
  readonly updatedAt: Date
  readonly closedAt: Date | null
  /** The planned period of maintenance. */
  readonly startsAt: Date | null
  readonly endsAt: Date | null
}

/** One update of an incident. */
export interface IncidentUpdate {
  readonly id: number
  readonly incidentId: string
  /** The state and impact from this update on. */
  readonly state: IncidentState
  readonly impact: Impact
  readonly message: string
  readonly writtenBy: Author
  readonly accountId: string | null
  readonly createdAt: Date
}

/** The author of a change: an account, or the prober. */
export type Actor = { readonly prober: true } | { readonly accountId: string | null }

/** The final state. */
export function endOf(kind: IncidentKind): 'resolved' | 'done' {
  return kind === 'incident' ? 'resolved' : 'done'
}
