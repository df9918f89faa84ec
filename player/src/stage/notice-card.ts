import { makeButton, makeElement } from './make-element.ts'

export interface Notice {
  readonly title: string
  readonly text: string
  readonly actions: readonly { readonly label: string; readonly run: () => void }[]
}

/** A card at the edge of the window that asks or tells; the first of its actions is the one that is meant. */
export function makeNoticeCard({ title, text, actions }: Notice): HTMLElement {
  return makeElement(
    'div',
    { class: 'card aside', role: 'region', 'aria-labelledby': 'title' },
    makeElement('div', { class: 'head' }, makeElement('h2', { id: 'title', dir: 'auto' }, title)),
    makeElement('p', { class: 'note' }, text),
    makeElement(
      'div',
      { class: 'foot' },
      ...actions
        .map(({ label, run }, index) => makeButton(index === 0 ? { class: 'primary' } : {}, label, run))
        .toReversed(),
    ),
  )
}
