import type { Step } from '../document/tour-document.ts'
import {
  addStep,
  changeStep,
  duplicateStep,
  maxSteps,
  moveStep,
  newStep,
  removeStep,
} from '../document/tour-document.ts'
import type { TourEditor } from '../document/tour-editor.ts'
import type { StepPart } from '../use-pending-focus.ts'

export interface StepActions {
  readonly add: () => void
  /** `field` names the changed field, as its label does. */
  readonly change: (step: Step, field: string, changes: Partial<Omit<Step, 'key'>>) => void
  readonly move: (step: Step, to: number, part: StepPart) => void
  readonly duplicate: (step: Step) => void
  readonly remove: (step: Step) => void
}

interface Surroundings {
  readonly editor: TourEditor
  readonly openKey: string | undefined
  readonly open: (key: string | undefined) => void
  readonly announce: (text: string) => void
  readonly focus: (key: string | undefined, part: StepPart) => void
}

/** The actions on steps. Each is one change to undo, is announced to screen readers, and sets the focus. */
export function useStepActions({ editor, openKey, open, announce, focus }: Surroundings): StepActions {
  const stepsNow = () => editor.read().document.steps

  function isFull(): boolean {
    const full = stepsNow().length >= maxSteps
    if (full) announce(`A tour has at most ${maxSteps} steps.`)
    return full
  }

  return {
    add() {
      if (isFull()) return
      const key = editor.newKey()
      editor.change({ what: 'a new step' }, (it) => addStep(it, newStep(key, 'New step'), openKey))
      open(key)
      focus(key, 'title')
      announce('A step was added.')
    },
    change(step, field, changes) {
      editor.change({ what: `${field} of “${step.title}”`, group: `${step.key} ${field}` }, (it) =>
        changeStep(it, step.key, changes),
      )
    },
    move(step, to, part) {
      const count = stepsNow().length
      const place = Math.min(Math.max(to, 0), count - 1)
      if (stepsNow()[place]?.key === step.key) return
      editor.change({ what: `moving “${step.title}”` }, (it) => moveStep(it, step.key, place))
      focus(step.key, part)
      announce(`“${step.title}” is step ${place + 1} of ${count} now.`)
    },
    duplicate(step) {
      if (isFull()) return
      const key = editor.newKey()
      editor.change({ what: `copying “${step.title}”` }, (it) => duplicateStep(it, step.key, key))
      open(key)
      focus(key, 'title')
      announce(`“${step.title}” was copied.`)
    },
    remove(step) {
      const place = stepsNow().findIndex(({ key }) => key === step.key)
      editor.change({ what: `deleting “${step.title}”` }, (it) => {
        const without = removeStep(it, step.key)
        // A tour without steps cannot be published.
        return { ...without, isPublished: without.isPublished && without.steps.length > 0 }
      })
      const neighbour = stepsNow()[place] ?? stepsNow().at(-1)
      open(undefined)
      focus(neighbour?.key, 'open')
      announce(`“${step.title}” was deleted. Undo brings it back.`)
    },
  }
}
