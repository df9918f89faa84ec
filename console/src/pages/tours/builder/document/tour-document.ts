import type { Advance, Launch, TipLocation } from '@tutti/player/protocol'

/** A step in the editor. */
export interface Step {
  /** Identifies the step in this window, also before the platform has given it an id. */
  readonly key: string
  readonly title: string
  /** HTML, as the platform stores it. */
  readonly body: string
  readonly selector: string
  readonly location: TipLocation
  /** The route the step is shown on; null: every route of the tour. */
  readonly route: string | null
  /** Tried in this order when the selector matches nothing. */
  readonly candidates: readonly string[]
  /** The text of the element when it was picked. */
  readonly targetText: string | null
  /** What continues the step besides its buttons. */
  readonly advance: Advance
}

/** The fields of a tour that the builder edits. */
export interface TourDocument {
  readonly label: string
  readonly isPublished: boolean
  readonly launch: Launch
  readonly routes: readonly string[]
  readonly steps: readonly Step[]
}

export const maxSteps = 50
export const maxRoutes = 20

/** Creates a step in the middle of the page, which needs no element. */
export function newStep(key: string, title: string): Step {
  return {
    key,
    title,
    body: '',
    selector: '',
    location: 'center',
    route: null,
    candidates: [],
    targetText: null,
    advance: 'next',
  }
}

/** Adds a step after another, or at the end. */
export function addStep(document: TourDocument, step: Step, afterKey?: string): TourDocument {
  const after = document.steps.findIndex(({ key }) => key === afterKey)
  return {
    ...document,
    steps: document.steps.toSpliced(after < 0 ? document.steps.length : after + 1, 0, step),
  }
}

export function changeStep(
  document: TourDocument,
  key: string,
  changes: Partial<Omit<Step, 'key'>>,
): TourDocument {
  return {
    ...document,
    steps: document.steps.map((step) => (step.key === key ? { ...step, ...changes } : step)),
  }
}

export function removeStep(document: TourDocument, key: string): TourDocument {
  return { ...document, steps: document.steps.filter((step) => step.key !== key) }
}

/** Moves a step to a position, counted from 0 among the others; positions beyond either end mean that end. */
export function moveStep(document: TourDocument, key: string, to: number): TourDocument {
  const step = document.steps.find((it) => it.key === key)
  if (step === undefined) return document
  const others = document.steps.filter((it) => it !== step)
  return { ...document, steps: others.toSpliced(Math.max(0, to), 0, step) }
}

/** Adds a copy right after its original. */
export function duplicateStep(document: TourDocument, key: string, copyKey: string): TourDocument {
  const step = document.steps.find((it) => it.key === key)
  if (step === undefined) return document
  return addStep(document, { ...step, key: copyKey, title: `${step.title} (copy)` }, key)
}

/** Whether two documents are equal, keys included. */
export function isSameDocument(one: TourDocument, other: TourDocument): boolean {
  return (
    one === other ||
    (one.label === other.label &&
      one.isPublished === other.isPublished &&
      one.launch === other.launch &&
      isSameList(one.routes, other.routes) &&
      one.steps.length === other.steps.length &&
      one.steps.every((step, index) => {
        const counterpart = other.steps[index]
        return counterpart !== undefined && step.key === counterpart.key && isSameStep(step, counterpart)
      }))
  )
}

/** Whether two steps are equal. The target of a step in the middle of the page is ignored. */
export function isSameStep(one: Step, other: Step): boolean {
  return (
    one === other ||
    (one.title === other.title &&
      one.body === other.body &&
      one.location === other.location &&
      one.route === other.route &&
      isSameTarget(one, other))
  )
}

/** Whether two steps point to the same element in the same way. */
export function isSameTarget(one: Step, other: Step): boolean {
  if (one.location === 'center' && other.location === 'center') return true
  return (
    one.selector === other.selector &&
    one.targetText === other.targetText &&
    one.advance === other.advance &&
    isSameList(one.candidates, other.candidates)
  )
}

export function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((item, index) => item === other[index])
}
