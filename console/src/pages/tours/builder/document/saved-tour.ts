import type { Step, TourDocument } from './tour-document.ts'

/** A step as the platform stores it. */
export interface KeptStep extends Omit<Step, 'key'> {
  readonly id: string
}

/** A tour as the platform stores it. */
export interface KeptTour extends Omit<TourDocument, 'steps'> {
  readonly revision: number
  readonly steps: readonly KeptStep[]
  /** The user who changed the tour last; null when the platform does not report it. */
  readonly changedBy: string | null
}

/** The stored tour, as last known to this window. */
export interface SavedTour {
  readonly revision: number
  /** The document as this window sent it. */
  readonly sent: TourDocument
  /** The document as the platform stores it: with cleaned bodies and trimmed labels. */
  readonly kept: TourDocument
  /** The platform's id of each step, by its key in this window. */
  readonly ids: ReadonlyMap<string, string>
}

/** The saved tour for a tour that was just loaded; known steps keep their keys. */
export function savedAsRead(
  { revision, steps, changedBy: _changedBy, ...settings }: KeptTour,
  known: ReadonlyMap<string, string> = new Map(),
): SavedTour {
  const keys = new Map([...known].map(([key, id]) => [id, key]))
  const keyed = steps.map(({ id, ...step }) => ({ id, step: { ...step, key: keys.get(id) ?? id } }))
  const read = { ...settings, steps: keyed.map(({ step }) => step) }
  return { revision, sent: read, kept: read, ids: new Map(keyed.map(({ id, step }) => [step.key, id])) }
}

/** Changes both the sent and the stored document. */
export function changeSaved(
  saved: SavedTour,
  revision: number,
  change: (document: TourDocument, side: 'sent' | 'kept') => TourDocument,
): SavedTour {
  return { ...saved, revision, sent: change(saved.sent, 'sent'), kept: change(saved.kept, 'kept') }
}
