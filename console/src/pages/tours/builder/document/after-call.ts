import type { SaveCall } from './next-call.ts'
import { changeSaved, type KeptStep, type SavedTour } from './saved-tour.ts'
import { addStep, changeStep, removeStep, type Step, type TourDocument } from './tour-document.ts'

/** The response to a request. */
export interface CallAnswer {
  readonly revision: number
  /** The stored step, for a request about a step. */
  readonly step?: KeptStep
  /** The stored settings, for a request about the settings. */
  readonly settings?: Pick<TourDocument, 'label' | 'launch' | 'routes'>
}

/** The saved tour after a successful request. */
export function afterCall(saved: SavedTour, call: SaveCall, answer: CallAnswer): SavedTour {
  const { revision } = answer
  if (call.kind === 'settings') return afterSettings(saved, call, answer)
  if (call.kind === 'add' || call.kind === 'change') return afterStep(saved, call, answer)
  if (call.kind === 'remove') {
    const ids = new Map([...saved.ids].filter(([key]) => key !== call.about))
    return changeSaved({ ...saved, ids }, revision, (document) => removeStep(document, call.about))
  }
  const placeOf = (step: Step) => call.order.indexOf(saved.ids.get(step.key) ?? '')
  return changeSaved(saved, revision, (document) => ({
    ...document,
    steps: document.steps.toSorted((one, other) => placeOf(one) - placeOf(other)),
  }))
}

function afterSettings(
  saved: SavedTour,
  { settings: { status, ...changes } }: Extract<SaveCall, { kind: 'settings' }>,
  { revision, settings }: CallAnswer,
): SavedTour {
  const told = { ...changes, ...(status === undefined ? {} : { isPublished: status }) }
  return changeSaved(saved, revision, (document, side) => ({
    ...document,
    ...told,
    ...(side === 'kept' ? settings : {}),
  }))
}

function afterStep(
  saved: SavedTour,
  call: Extract<SaveCall, { kind: 'add' | 'change' }>,
  { revision, step }: CallAnswer,
): SavedTour {
  const { key } = call.step
  const { id, ...kept } = { id: call.kind === 'change' ? call.id : key, ...call.step, ...step }
  const ids = new Map([...saved.ids, [key, id]])
  const put = call.kind === 'add' ? addStep : changeTo
  return changeSaved({ ...saved, ids }, revision, (document, side) =>
    put(document, side === 'kept' ? { ...kept, key } : call.step),
  )
}

function changeTo(document: TourDocument, step: Step): TourDocument {
  return changeStep(document, step.key, step)
}
