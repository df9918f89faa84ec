import type { PlayableTip } from '../protocol.ts'
import { makeButton, makeElement } from './make-element.ts'

export type StepAction = 'next' | 'previous' | 'close'

export interface StepView {
  readonly tip: PlayableTip
  /** Starts at 0. */
  readonly index: number
  readonly total: number
  readonly hasPrevious: boolean
  readonly isLast: boolean
  /** A line below the body: the page of the next step, or a warning about a missing element. */
  readonly note?: { readonly text: string; readonly warning?: boolean }
  /** False while a step is edited: the page stays usable and keeps the focus. */
  readonly modal: boolean
}

/** The dialog of a step. */
export interface StepCard {
  readonly element: HTMLElement
  readonly focus: () => void
  /** Disables the buttons while the next step is loading. */
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
      // Scrollable content must be reachable by keyboard.
      if (body.scrollHeight > body.clientHeight) body.tabIndex = 0
      next.focus({ preventScroll: true })
    },
    setBusy() {
      for (const button of [next, previous]) button.ariaDisabled = 'true'
    },
    isBusy: () => next.ariaDisabled === 'true',
  }
}
