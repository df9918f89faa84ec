import type { PlayableTip } from '../protocol.ts'
import { makeButton, makeElement } from './make-element.ts'

export type StepAction = 'next' | 'previous' | 'close'

export interface StepView {
  readonly tip: PlayableTip
  /** Counted from 0. */
  readonly index: number
  readonly total: number
  /** Whether there is a step before this one to go back to. */
  readonly hasPrevious: boolean
  readonly isLast: boolean
  /** A line below the body: where the next step is, or that the element is missing. */
  readonly note?: { readonly text: string; readonly warning?: boolean }
  /** False for a step that is only looked at: the page stays usable and keeps the focus. */
  readonly modal: boolean
}

/** One step as a dialog. */
export interface StepCard {
  readonly element: HTMLElement
  readonly focus: () => void
  /** Takes no further press while the next step is on its way. */
  setBusy(): void
  isBusy(): boolean
}

export function makeStepCard(
  view: StepView,
  cleanBody: (body: string) => DocumentFragment,
  onAction: (action: StepAction) => void,
): StepCard {
  const { tip, index, total } = view
  const body = makeElement('div', { class: 'body', id: 'body', dir: 'auto' }, cleanBody(tip.body))
  const next = makeButton({ class: 'primary' }, view.isLast ? 'Done' : 'Next', () => onAction('next'))
  const previous = makeButton({}, 'Back', () => onAction('previous'))
  previous.hidden = !view.hasPrevious
  const note = makeElement('p', { class: view.note?.warning === true ? 'note warning' : 'note' })
  note.textContent = view.note?.text ?? ''
  note.hidden = view.note === undefined
  const element = makeElement(
    'div',
    {
      class: 'card',
      role: 'dialog',
      'aria-modal': String(view.modal),
      'aria-labelledby': 'title',
      'aria-describedby': 'body',
      tabindex: '-1',
      'data-step': tip.id,
    },
    makeElement(
      'div',
      { class: 'head' },
      makeElement('h2', { id: 'title', dir: 'auto' }, tip.label),
      makeButton({ class: 'close', 'aria-label': 'End the tour' }, '×', () => onAction('close')),
    ),
    body,
    note,
    makeElement(
      'div',
      { class: 'foot' },
      makeElement('span', { class: 'count' }, `Step ${index + 1} of ${total}`),
      previous,
      next,
    ),
  )
  return {
    element,
    focus() {
      // What has to be scrolled has to be reached by keyboard.
      if (body.scrollHeight > body.clientHeight) body.tabIndex = 0
      next.focus({ preventScroll: true })
    },
    setBusy() {
      for (const button of [next, previous]) button.ariaDisabled = 'true'
    },
    isBusy: () => next.ariaDisabled === 'true',
  }
}
