import { useState } from 'react'
import { copySteps, movedAside } from '../clipboard/copied-steps.ts'
import { edgesOf } from '../document/edges.ts'
import { addStep, connect, disconnect, moveStep, pasteSteps, removeSteps } from '../document/edits.ts'
import { type DraftStep, type FlowDocument, nameOf, stepIn } from '../document/flow-document.ts'
import { valueAt } from '../document/json.ts'
import { newStep, type StepKind } from '../document/step-kinds.ts'
import { type Editing, useEditing } from '../use-flow-editor.ts'

/** The actions on steps in every view: each is one undoable change, and is announced. */
export interface StepActions {
  /** Puts a new step in and opens its form. It stands, and with `after` waits, behind that one; else it is the last. */
  readonly add: (
    kind: StepKind,
    where?: { readonly after?: string | undefined; readonly index?: number | undefined },
  ) => void
  readonly move: (id: string, to: number) => void
  readonly remove: (ids: readonly string[]) => void
  readonly duplicate: (ids: readonly string[]) => void
  /** Whether a step waits for another one. */
  readonly setWaiting: (id: string, forStep: string, isWaiting: boolean) => void
}

export function createStepActions({ editor, announce }: Pick<Editing, 'editor' | 'announce'>): StepActions {
  const stepsNow = () => editor.read().document.definition.steps
  const name = (id: string) => {
    const step = stepIn(editor.read().document, id)
    return step === undefined ? id : nameOf(step)
  }
  const namesOf = (ids: readonly string[]) => (ids.length === 1 ? name(ids[0] ?? '') : `${ids.length} steps`)

  return {
    add(kind, { after, index } = {}) {
      const steps = stepsNow()
      const step = newStep(kind, steps)
      const behind = after === undefined ? steps.length : steps.findIndex(({ id }) => id === after) + 1
      const place = index ?? behind
      const told = after === undefined ? '' : `, after ${name(after)}`
      editor.change({ what: `adding ${step.id}` }, (document) =>
        moveStep(addStep(document, step, { after }), step.id, place),
      )
      editor.ask(`steps[${place}].label`)
      announce(`${kind.title}: ${step.id} was added${told}.`)
    },
    move(id, to) {
      const steps = stepsNow()
      const place = Math.min(Math.max(to, 0), steps.length - 1)
      if (steps[place]?.id === id) return
      editor.change({ what: `moving ${name(id)}` }, (document) => moveStep(document, id, place))
      announce(`${name(id)} is step ${place + 1} of ${steps.length} now.`)
    },
    remove(ids) {
      if (ids.length === 0) return
      const gone = namesOf(ids)
      editor.change({ what: `removing ${gone}` }, (document) => removeSteps(document, ids))
      announce(
        `${gone} ${ids.length === 1 ? 'was removed. Undo brings it' : 'were removed. Undo brings them'} back.`,
      )
    },
    duplicate(ids) {
      if (ids.length === 0) return
      const { document, copies } = duplicateSteps(editor.read().document, ids)
      editor.change({ what: `duplicating ${namesOf(ids)}` }, () => document)
      editor.select(copies)
      announce(`${namesOf(ids)} ${ids.length === 1 ? 'was' : 'were'} duplicated: ${copies.join(', ')}.`)
    },
    setWaiting(id, forStep, isWaiting) {
      const { document: before } = editor.read()
      const dependencies = valueAt(stepIn(before, id), ['dependencies'])
      const place = Array.isArray(dependencies) ? dependencies.indexOf(forStep) : -1
      if (isWaiting === place >= 0) return
      editor.change({ what: `dependencies of ${name(id)}` }, (document) =>
        isWaiting
          ? connect(document, forStep, id)
          : disconnect(document, { said: { step: id, path: ['dependencies', place] } }),
      )
      if (editor.read().document === before) return
      announce(`${name(id)} ${isWaiting ? 'runs after' : 'no longer waits for'} ${name(forStep)}.`)
    },
  }
}

/** Puts copies of steps behind the last of them. */
export function duplicateSteps(
  document: FlowDocument,
  ids: readonly string[],
): { readonly document: FlowDocument; readonly copies: readonly string[] } {
  const { steps, places } = copySteps(document, ids)
  const last = document.definition.steps.findLastIndex(({ id }) => ids.includes(id))
  const { document: changed, pasted } = pasteSteps(document, steps, movedAside(places))
  return {
    document: pasted.reduce((moved, id, index) => moveStep(moved, id, last + 1 + index), changed),
    copies: pasted,
  }
}

/** The step actions of the open flow. */
export function useStepActions(): StepActions {
  const { editor, announce } = useEditing()
  // One editor and one announcer surround all of this; the actions stay the same object, and with them rows that did not change.
  const [actions] = useState(() => createStepActions({ editor, announce }))
  return actions
}

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

/** How a step was clicked. */
interface Click {
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
}

/** The selection after a click: one step, with Ctrl toggled, with Shift the range from the first one. */
export function selectionAfterClick(
  ids: readonly string[],
  selected: readonly string[],
  clicked: string,
  { shiftKey, ctrlKey, metaKey }: Click,
): readonly string[] {
  const [anchor] = selected
  if (shiftKey && anchor !== undefined && ids.includes(anchor)) {
    const [from, to] = [ids.indexOf(anchor), ids.indexOf(clicked)]
    // The first stays the first, so that the next Shift begins there again.
    return from <= to ? ids.slice(from, to + 1) : ids.slice(to, from + 1).toReversed()
  }
  if (!ctrlKey && !metaKey) return [clicked]
  return selected.includes(clicked) ? selected.filter((id) => id !== clicked) : [...selected, clicked]
}

const moves: Readonly<Record<string, (index: number, last: number) => number>> = {
  ArrowUp: (index) => Math.max(index - 1, 0),
  ArrowDown: (index, last) => Math.min(index + 1, last),
  Home: () => 0,
  End: (_, last) => last,
}

/** The row a key leads to from another; undefined for keys that lead nowhere. */
export function rowAfterKey(key: string, index: number, total: number): number | undefined {
  return Object.hasOwn(moves, key) ? moves[key]?.(index, total - 1) : undefined
}
