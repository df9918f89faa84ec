/** Words of incidents, as callers read and write them. */
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

/** Something that went wrong, or work that was planned. */
export interface Incident {
  readonly id: string
  readonly kind: IncidentKind
  readonly title: string
  readonly impact: Impact
  readonly services: readonly string[]
  readonly state: IncidentState
  readonly openedBy: Author
  /** Whoever opened it by hand. */
  readonly accountId: string | null
  readonly openedAt: Date
  readonly updatedAt: Date
  readonly closedAt: Date | null
  /** The plan of maintenance. */
  readonly startsAt: Date | null
  readonly endsAt: Date | null
}

/** What was said about an incident at one time. */
export interface IncidentUpdate {
  readonly id: number
  readonly incidentId: string
  /** As they were from then on. */
  readonly state: IncidentState
  readonly impact: Impact
  readonly message: string
  readonly writtenBy: Author
  readonly accountId: string | null
  readonly createdAt: Date
}

/** Who says something: an account, or the prober. */
export type By = { readonly prober: true } | { readonly accountId: string | null }

/** Where an incident ends. */
export function endOf(kind: IncidentKind): 'resolved' | 'done' {
  return kind === 'incident' ? 'resolved' : 'done'
}
