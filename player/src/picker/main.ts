import { textOf } from '../find-element.ts'
import { rectOf } from '../inner-roots.ts'
import type { CreatePicker, Picker } from '../load-picker.ts'
import { makeElement } from '../stage/make-element.ts'
import { selectorsOf } from './element-selectors.ts'
import { describeElement, suggestTitle } from './element-words.ts'
import { elementAt, scrollUnder, step } from './walk-page.ts'

/** Announced by screen readers when picking begins. */
const instructions =
  'Pick an element. Tab moves through the elements, the arrow keys move to the parent, child and siblings, Enter picks, Escape cancels.'

const pointerEvents = [
  'pointermove',
  'pointerdown',
  'pointerup',
  'mousedown',
  'mouseup',
  'click',
  'dblclick',
  'contextmenu',
] as const

/** Lets an editor pick an element of the page. A shield over the page captures pointer and keys, so that nothing is triggered. */
export const createPicker: CreatePicker = ({ surface, outlines }, send): Picker => {
  let shield: HTMLElement | undefined
  let current: Element | undefined
  const isOurs = (element: Element) => surface.owns(element)

  function point(element: Element | undefined, { scroll = false } = {}): void {
    if (element === undefined || element === current) return
    current = element
    if (scroll) element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    const description = describeElement(element)
    outlines.show([element], description)
    send({ type: 'hovered', description, rect: rectOf(element) })
    if (scroll) surface.announce(description)
  }

  function pick(element: Element | undefined): void {
    if (element === undefined) return
    const candidates = selectorsOf(element)
    stop()
    send({
      type: 'picked',
      candidates,
      text: textOf(element),
      title: suggestTitle(element),
      description: describeElement(element),
      rect: rectOf(element),
    })
  }

  function cancel(): void {
    stop()
    send({ type: 'pick-cancelled' })
  }

  function onKey(event: KeyboardEvent): void {
    event.preventDefault()
    event.stopImmediatePropagation()
    const { key, shiftKey } = event
    if (key === 'Escape') cancel()
    else if (key === 'Enter' || key === ' ') pick(current)
    else point(step(key === 'Tab' && shiftKey ? 'Shift+Tab' : key, current, isOurs), { scroll: true })
  }

  function onPointer(event: MouseEvent): void {
    event.stopImmediatePropagation()
    // Only these are prevented: a prevented touch start never becomes a click.
    if (event.type === 'click' || event.type === 'contextmenu') event.preventDefault()
    const under = elementAt(event.clientX, event.clientY, isOurs)
    if (event.type === 'pointermove') point(under)
    if (event.type === 'click') pick(under)
  }

  function start(): void {
    if (shield !== undefined) return
    const element = makeElement('div', {
      class: 'shield',
      role: 'application',
      tabindex: '0',
      'aria-label': instructions,
    })
    element.addEventListener('wheel', (event) => scrollUnder(event, isOurs), { passive: false })
    surface.root.append(element)
    surface.raise()
    window.addEventListener('keydown', onKey, true)
    for (const type of pointerEvents) window.addEventListener(type, onPointer, true)
    shield = element
    window.focus()
    element.focus({ preventScroll: true })
  }

  function stop(): void {
    window.removeEventListener('keydown', onKey, true)
    for (const type of pointerEvents) window.removeEventListener(type, onPointer, true)
    shield?.remove()
    shield = undefined
    current = undefined
    outlines.show([])
  }

  return { start, stop }
}
