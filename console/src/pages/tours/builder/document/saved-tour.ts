import type { Step, TourDocument } from './tour-document.ts'

/** A step as the platform has it. */
export interface KeptStep extends Omit<Step, 'key'> {
  readonly id: string
}

/** A tour as the platform has it. */
export interface KeptTour extends Omit<TourDocument, 'steps'> {
  readonly revision: number
  readonly steps: readonly KeptStep[]
  /** Who changed it last, when the platform says so. */
  readonly changedBy: string | null
}

/** The saved tour, as far as this window knows. */
export interface SavedTour {
  readonly revision: number
  /** As this window sent it. */
  readonly sent: TourDocument
  /** As the platform keeps it: bodies are cleaned there, labels trimmed. */
  readonly kept: TourDocument
  /** The platform's id of each step by its key here. */
  readonly ids: ReadonlyMap<string, string>
}

/** A tour as it was read; steps this window knows keep their keys. */
export function savedAsRead(
  { revision, steps, changedBy: _changedBy, ...settings }: KeptTour,
  known: ReadonlyMap<string, string> = new Map(),
): SavedTour {
  const keys = new Map([...known].map(([key, id]) => [id, key]))
  const keyed = steps.map(({ id, ...step }) => ({ id, step: { ...step, key: keys.get(id) ?? id } }))
  const read = { ...settings, steps: keyed.map(({ step }) => step) }
  return { revision, sent: read, kept: read, ids: new Map(keyed.map(({ id, step }) => [step.key, id])) }
}

/** Changes both sides of a saved tour. */
export function changeSaved(
  saved: SavedTour,
  revision: number,
  change: (document: TourDocument, side: 'sent' | 'kept') => TourDocument,
): SavedTour {
  return { ...saved, revision, sent: change(saved.sent, 'sent'), kept: change(saved.kept, 'kept') }
}
