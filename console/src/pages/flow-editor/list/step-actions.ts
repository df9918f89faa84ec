import { useState } from 'react'
import { copySteps, movedAside } from '../clipboard/copied-steps.ts'
import { edgesOf } from '../document/edges.ts'
import { addStep, connect, disconnect, moveStep, pasteSteps, removeSteps } from '../document/edits.ts'
import { type DraftStep, type FlowDocument, nameOf, stepIn } from '../document/flow-document.ts'
import { valueAt } from '../document/json.ts'
import { placeOfStep, type Scope, scopeOf, stepsOf } from '../document/scopes.ts'
import { newStep, type StepKind } from '../document/step-kinds.ts'
import { type Editing, useEditing } from '../use-flow-editor.ts'

/** The actions on steps in every view: each is one undoable change, and is announced. */
export interface StepActions {
  /**
   * Adds a step and opens its form. With `after`, the step follows and depends on that one; otherwise it is the last.
   */
  readonly add: (
    kind: StepKind,
    where?: {
      readonly after?: string | undefined
      readonly index?: number | undefined
      /** Default: the open scope. */
      readonly within?: Scope | undefined
    },
  ) => void
  readonly move: (id: string, to: number) => void
  readonly remove: (ids: readonly string[]) => void
  readonly duplicate: (ids: readonly string[]) => void
  /** Adds or removes the dependency of a step on another. */
  readonly setWaiting: (id: string, forStep: string, isWaiting: boolean) => void
}

export function createStepActions({ editor, announce }: Pick<Editing, 'editor' | 'announce'>): StepActions {
  const name = (id: string) => {
    const step = stepIn(editor.read().document, id)
    return step === undefined ? id : nameOf(step)
  }
  const namesOf = (ids: readonly string[]) => (ids.length === 1 ? name(ids[0] ?? '') : `${ids.length} steps`)

  return {
    add(kind, { after, index, within: wanted } = {}) {
      const { document: before, scope } = editor.read()
      const within = after === undefined ? (wanted === undefined ? scope : wanted) : scopeOf(before, after)
      const steps = stepsOf(before, within)
      const step = newStep(kind, before.definition)
      const behind = after === undefined ? steps.length : steps.findIndex(({ id }) => id === after) + 1
      const place = index ?? behind
      const told = after === undefined ? '' : `, after ${name(after)}`
      editor.change({ what: `adding ${step.id}` }, (document) =>
        moveStep(addStep(document, step, { after, within }), step.id, place),
      )
      editor.askStep(step.id)
      announce(`${kind.title}: ${step.id} was added${told}.`)
    },
    move(id, to) {
      const steps = placeOfStep(editor.read().document, id)?.beside ?? []
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

/** Inserts copies of steps after the last of them, in the scope of each. */
export function duplicateSteps(
  document: FlowDocument,
  ids: readonly string[],
): { readonly document: FlowDocument; readonly copies: readonly string[] } {
  const scopes = Map.groupBy(copySteps(document, ids).steps, ({ id }) => scopeOf(document, id))
  return [...scopes].reduce(
    (done, [within, originals]) => {
      const same = originals.map(({ id }) => id)
      const { steps, places } = copySteps(document, same)
      const last = stepsOf(done.document, within).findLastIndex(({ id }) => same.includes(id))
      const { document: changed, pasted } = pasteSteps(done.document, steps, {
        places: movedAside(places),
        within,
      })
      return {
        document: pasted.reduce((moved, id, index) => moveStep(moved, id, last + 1 + index), changed),
        copies: [...done.copies, ...pasted],
      }
    },
    { document, copies: [] as readonly string[] },
  )
}

/** The step actions of the open flow. */
export function useStepActions(): StepActions {
  const { editor, announce } = useEditing()
  // Editor and announcer never change during the lifetime of the view; stable actions let unchanged rows skip
  // rendering.
  const [actions] = useState(() => createStepActions({ editor, announce }))
  return actions
}

/** A possible dependency of a step. */
export interface WaitingChoice {
  readonly id: string
  readonly name: string
  readonly isWaiting: boolean
  /** The step is a successor: depending on it would close a cycle. */
  readonly isLater: boolean
  /** The dependency refers to a missing step. */
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

/**
 * The choices whose names contain a text: at most `most`, and the number of the others. Chosen ones are always
 * included.
 */
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

/** A step and all its direct and indirect successors, which it must not depend on. */
export function stepsAfter(steps: readonly DraftStep[], id: string): ReadonlySet<string> {
  const leaving = Map.groupBy(edgesOf(steps), ({ from }) => from)
  const reached = new Set([id])
  // Iterating a set includes the entries added meanwhile.
  for (const step of reached) {
    for (const { to } of leaving.get(step) ?? []) reached.add(to)
  }
  return reached
}

interface Click {
  readonly shiftKey: boolean
  readonly ctrlKey: boolean
  readonly metaKey: boolean
}

/**
 * The selection after a click: the step alone, toggled with Ctrl, or with Shift the range from the first selected step.
 */
export function selectionAfterClick(
  ids: readonly string[],
  selected: readonly string[],
  clicked: string,
  { shiftKey, ctrlKey, metaKey }: Click,
): readonly string[] {
  const [anchor] = selected
  if (shiftKey && anchor !== undefined && ids.includes(anchor)) {
    const [from, to] = [ids.indexOf(anchor), ids.indexOf(clicked)]
    // The first step stays first, so that the next Shift-click extends from it again.
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

/** The row a key moves to; undefined for other keys. */
export function rowAfterKey(key: string, index: number, total: number): number | undefined {
  return Object.hasOwn(moves, key) ? moves[key]?.(index, total - 1) : undefined
}
