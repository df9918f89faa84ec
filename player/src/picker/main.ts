import { finder } from '@medv/finder'
import { textOf } from '../find-element.ts'
import { type CreatePicker, type Picker, pickerEvent } from '../load-picker.ts'
import type { SelectorCandidate } from '../protocol.ts'
import { toRect } from '../stage/follow-element.ts'
import { makeElement } from '../stage/make-element.ts'
import { isGenerated, isStateClass } from './names.ts'
import { type ElementInfo, rankSelectors } from './rank-selectors.ts'

/** Interactive elements: pointing at something inside one selects the whole element. */
const interactive =
  'a[href], button, input, select, textarea, summary, option, [role=button], [role=link], [role=tab], [role=menuitem], [role=option], [role=checkbox], [role=radio], [role=switch]'

/** The elements that Tab visits while picking. */
const stops = `${interactive}, [data-tour], [data-testid], [id], h1, h2, h3, h4, img, table, form, nav, main, section, article, aside, label, th`

/** The element at a point of the screen, below the player's own elements. */
function elementAt(x: number, y: number, isOurs: (element: Element) => boolean): Element | undefined {
  const element = document.elementsFromPoint(x, y).find((one) => !isOurs(one))
  if (element === undefined || element === document.documentElement) return undefined
  const drawing = element.closest('svg')
  return element.closest(interactive) ?? drawing ?? element
}

/** The elements that Tab visits, in document order. */
function stopsOf(isOurs: (element: Element) => boolean): readonly Element[] {
  return [...document.body.querySelectorAll(stops)].filter((one) => !isOurs(one) && isVisible(one))
}

/** The element that a key moves to; the same one when there is none in that direction. */
function step(
  key: string,
  from: Element | undefined,
  isOurs: (element: Element) => boolean,
): Element | undefined {
  const all = stopsOf(isOurs)
  if (from === undefined) return all[0]
  switch (key) {
    case 'Tab':
      return all.find((one) => isAfter(one, from)) ?? all[0]
    case 'Shift+Tab':
      return all.findLast((one) => isAfter(from, one)) ?? all.at(-1)
    case 'ArrowUp':
      return from.parentElement === document.documentElement ? from : (from.parentElement ?? from)
    case 'ArrowDown':
      return [...from.children].find(isVisible) ?? from
    case 'ArrowRight':
      return siblings(from).find((one) => isAfter(one, from)) ?? from
    case 'ArrowLeft':
      return siblings(from).findLast((one) => isAfter(from, one)) ?? from
    default:
      return from
  }

  function siblings(element: Element): Element[] {
    return [...(element.parentElement?.children ?? [])].filter((one) => isVisible(one) && !isOurs(one))
  }
}

function isAfter(one: Element, other: Element): boolean {
  return (other.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
}

function isVisible(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect()
  return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible'
}

/** How many ancestors are considered, and the time limit for a selector by position. */
const depth = 12
const finderMs = 500

/** The selectors of an element, best first. */
function selectorsOf(element: Element): readonly SelectorCandidate[] {
  return rankSelectors({
    element: infoOf(element),
    ancestors: ancestorsOf(element).slice(0, depth).map(infoOf),
    count: (selector) => document.querySelectorAll(selector).length,
    countWithText: (selector, text) =>
      [...document.querySelectorAll(selector)].filter((one) => textOf(one) === text).length,
    byPosition: () => selectorByPosition(element),
  })
}

/** A description such as `button “Save”`. */
function describeElement(element: Element): string {
  const name = element.getAttribute('aria-label') ?? textOf(element)?.slice(0, 40)
  const tag = element.getAttribute('role') ?? element.localName
  return name === undefined ? tag : `${tag} “${name}”`
}

function infoOf(element: Element): ElementInfo {
  const attributes = Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]))
  return { tag: element.localName, attributes, text: textOf(element) }
}

function ancestorsOf(element: Element): readonly Element[] {
  const parent = element.parentElement
  return parent === null ? [] : [parent, ...ancestorsOf(parent)]
}

function selectorByPosition(element: Element): string | undefined {
  try {
    return finder(element, {
      timeoutMs: finderMs,
      idName: (name) => !isGenerated(name),
      className: (name) => !isGenerated(name) && !isStateClass(name),
      attr: () => false,
    })
  } catch {
    return undefined
  }
}

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
const createPicker: CreatePicker = ({ surface, outlines }, send): Picker => {
  let shield: HTMLElement | undefined
  let current: Element | undefined
  const isOurs = (element: Element) => surface.owns(element)

  function point(element: Element | undefined, { scroll = false } = {}): void {
    if (element === undefined || element === current) return
    current = element
    if (scroll) element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    const description = describeElement(element)
    outlines.show([element], description)
    send({ type: 'hovered', description, rect: toRect(element.getBoundingClientRect()) })
    if (scroll) surface.announce(description)
  }

  function pick(element: Element | undefined): void {
    if (element === undefined) return
    stop()
    send({
      type: 'picked',
      candidates: selectorsOf(element),
      text: textOf(element),
      description: describeElement(element),
      rect: toRect(element.getBoundingClientRect()),
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

document.currentScript?.dispatchEvent(new CustomEvent(pickerEvent, { detail: createPicker }))

/** Scrolls the element under the shield, as the wheel would have done without it. */
function scrollUnder(event: WheelEvent, isOurs: (element: Element) => boolean): void {
  const under = document.elementsFromPoint(event.clientX, event.clientY).find((one) => !isOurs(one))
  for (let element = under ?? null; element !== null; element = element.parentElement) {
    const { overflowY } = getComputedStyle(element)
    if (element.scrollHeight <= element.clientHeight || !/auto|scroll/.test(overflowY)) continue
    element.scrollBy({ top: event.deltaY, left: event.deltaX })
    event.preventDefault()
    return
  }
}
