import { useState } from 'react'
import { copySteps, movedAside } from '../clipboard/copied-steps.ts'
import { addStep, connect, disconnect, moveStep, pasteSteps, removeSteps } from '../document/edits.ts'
import { type FlowDocument, nameOf, stepIn } from '../document/flow-document.ts'
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
