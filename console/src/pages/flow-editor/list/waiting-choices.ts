import { edgesOf } from '../document/edges.ts'
import { type DraftStep, nameOf } from '../document/flow-document.ts'
import { valueAt } from '../document/json.ts'

/** A step that another one may wait for. */
export interface WaitingChoice {
  readonly id: string
  readonly name: string
  readonly isWaiting: boolean
  /** It comes later itself: waiting for it would lead in a circle. */
  readonly isLater: boolean
  /** It is named, but it is not there. */
  readonly isGone: boolean
}

/** The steps a step may depend on, in flow order, and its dependencies on missing steps. */
export function waitingChoices(steps: readonly DraftStep[], id: string): readonly WaitingChoice[] {
  const given = valueAt(
    steps.find((step) => step.id === id),
    ['dependencies'],
  )
  const waitsFor = new Set(Array.isArray(given) ? given.filter((it) => typeof it === 'string') : [])
  const later = stepsAfter(steps, id)
  const there = steps.flatMap((step, index) => {
    if (step.id === id) return []
    const isWaiting = waitsFor.has(step.id)
    const name = `${index + 1}. ${nameOf(step)}`
    return [{ id: step.id, name, isWaiting, isLater: !isWaiting && later.has(step.id), isGone: false }]
  })
  const known = new Set(there.map((choice) => choice.id))
  const gone = [...waitsFor].filter((name) => !known.has(name))
  return [
    ...there,
    ...gone.map((name) => ({ id: name, name, isWaiting: true, isLater: false, isGone: true })),
  ]
}

/** Those with a text in their names: at most so many, and how many more there are. What is chosen is always among them. */
export function narrowChoices(
  choices: readonly WaitingChoice[],
  text: string,
  most: number,
): { readonly shown: readonly WaitingChoice[]; readonly more: number } {
  const wanted = text.trim().toLowerCase()
  const found = choices.filter(({ name }) => name.toLowerCase().includes(wanted))
  const shown = found.filter(({ isWaiting }, index) => isWaiting || index < most)
  return { shown, more: found.length - shown.length }
}

/** Every step that comes after this one, however far, and the step itself: what it must not wait for. */
export function stepsAfter(steps: readonly DraftStep[], id: string): ReadonlySet<string> {
  const leaving = Map.groupBy(edgesOf(steps), ({ from }) => from)
  const reached = new Set([id])
  // A set goes on to what is added while it is walked.
  for (const step of reached) {
    for (const { to } of leaving.get(step) ?? []) reached.add(to)
  }
  return reached
}
