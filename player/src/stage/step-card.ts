import type { Appearance } from '../appearance.ts'
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
  /** Whether the element did not appear: Next skips the step. */
  readonly isMissing?: boolean
  /** The language of the texts of the step. */
  readonly language?: string
  /**
   * What the visitor can use: the card alone, its element as well, or the whole page, since menus of an element open
   * beside it. `all`: while a step is edited the page stays usable, is not covered and keeps the focus.
   */
  readonly reach: 'card' | 'element' | 'page' | 'all'
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
  { cleanBody, say }: { cleanBody: (body: string) => DocumentFragment; say: Appearance['say'] },
  onAction: (action: StepAction) => void,
): StepCard {
  const { tip, index, total } = view
  const language = view.language === undefined ? {} : { lang: view.language }
  const body = makeElement(
    'div',
    { class: 'body', id: 'body', dir: 'auto', ...language },
    cleanBody(tip.body),
  )
  const label = say(view.isLast ? 'done' : view.isMissing === true ? 'skip' : 'next')
  const next = makeButton({ class: 'primary' }, label, () => onAction('next'))
  const previous = makeButton({}, say('back'), () => onAction('previous'))
  previous.hidden = !view.hasPrevious
  const note = makeElement('p', { class: view.note?.warning === true ? 'note warning' : 'note' })
  note.textContent = view.note?.text ?? ''
  note.hidden = view.note === undefined
  const element = makeElement(
    'div',
    {
      class: 'card',
      role: 'dialog',
      'aria-modal': String(view.reach === 'card'),
      'aria-labelledby': 'title',
      'aria-describedby': 'body',
      tabindex: '-1',
      'data-step': tip.id,
    },
    makeElement(
      'div',
      { class: 'head' },
      makeElement('h2', { id: 'title', dir: 'auto', ...language }, tip.label),
      makeButton({ class: 'close', 'aria-label': say('end') }, '×', () => onAction('close')),
    ),
    body,
    note,
    makeElement(
      'div',
      { class: 'foot' },
      makeElement('span', { class: 'count' }, say('step', { step: index + 1, total })),
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
