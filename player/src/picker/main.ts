import { textOf } from '../find-element.ts'
import { type CreatePicker, handOver, type Picker } from '../load-picker.ts'
import { toRect } from '../stage/follow-element.ts'
import { makeElement } from '../stage/make-element.ts'
import { describeElement, selectorsOf } from './describe-element.ts'
import { scrollUnder } from './scroll-under.ts'
import { elementAt, step } from './walk.ts'

/** Says that this runs and how it is left; read by screen readers when picking begins. */
const instructions =
  'Pick an element. Tab goes through them, the arrow keys go to what is around, inside and beside, Enter picks, Escape cancels.'

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

/**
 * Lets a person point at an element of the page. A shield over everything takes the pointer and the keys, so that nothing of
 * the page is triggered.
 */
const createPicker: CreatePicker = ({ surface, outlines }, say): Picker => {
  let shield: HTMLElement | undefined
  let current: Element | undefined
  const isOurs = (element: Element) => surface.owns(element)

  function point(element: Element | undefined, { scroll = false } = {}): void {
    if (element === undefined || element === current) return
    current = element
    if (scroll) element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    const description = describeElement(element)
    outlines.show([element], description)
    say({ type: 'hovered', description, rect: toRect(element.getBoundingClientRect()) })
    if (scroll) surface.announce(description)
  }

  function pick(element: Element | undefined): void {
    if (element === undefined) return
    stop()
    say({
      type: 'picked',
      candidates: selectorsOf(element),
      text: textOf(element),
      description: describeElement(element),
      rect: toRect(element.getBoundingClientRect()),
    })
  }

  function cancel(): void {
    stop()
    say({ type: 'pick-cancelled' })
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
    // A touch whose beginning is prevented never becomes a click.
    if (event.type === 'click' || event.type === 'contextmenu') event.preventDefault()
    const under = elementAt(event.clientX, event.clientY, isOurs)
    if (event.type === 'pointermove') point(under)
    if (event.type === 'click') pick(under)
  }

  function start(): void {
    if (shield !== undefined) return
    const made = makeElement('div', {
      class: 'shield',
      role: 'application',
      tabindex: '0',
      'aria-label': instructions,
    })
    made.addEventListener('wheel', (event) => scrollUnder(event, isOurs), { passive: false })
    surface.root.append(made)
    surface.raise()
    window.addEventListener('keydown', onKey, true)
    for (const type of pointerEvents) window.addEventListener(type, onPointer, true)
    shield = made
    window.focus()
    made.focus({ preventScroll: true })
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

document.currentScript?.dispatchEvent(new CustomEvent(handOver, { detail: createPicker }))
