import { finder } from '@medv/finder'
import { textOf } from '../find-element.ts'
import { type CreatePicker, handOver, type Picker } from '../load-picker.ts'
import type { SelectorCandidate } from '../protocol.ts'
import { toRect } from '../stage/follow-element.ts'
import { makeElement } from '../stage/make-element.ts'
import { isGenerated, isStateClass } from './names.ts'
import { type ElementFacts, rankSelectors } from './rank-selectors.ts'

/** What a person points at when they point at something inside it. */
const wholes =
  'a[href], button, input, select, textarea, summary, option, [role=button], [role=link], [role=tab], [role=menuitem], [role=option], [role=checkbox], [role=radio], [role=switch]'

/** What Tab stops at while picking: things people use, read or named. */
const stops = `${wholes}, [data-tour], [data-testid], [id], h1, h2, h3, h4, img, table, form, nav, main, section, article, aside, label, th`

/** The element that is meant by a point on the screen, below what the player itself shows. */
function elementAt(x: number, y: number, isOurs: (element: Element) => boolean): Element | undefined {
  const element = document.elementsFromPoint(x, y).find((one) => !isOurs(one))
  if (element === undefined || element === document.documentElement) return undefined
  const drawing = element.closest('svg')
  return element.closest(wholes) ?? drawing ?? element
}

/** Every element Tab goes to, in the order of the page. */
function stopsOf(isOurs: (element: Element) => boolean): readonly Element[] {
  return [...document.body.querySelectorAll(stops)].filter((one) => !isOurs(one) && isSeen(one))
}

/** The element a key leads to from another; the same one where there is no way. */
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
      return [...from.children].find(isSeen) ?? from
    case 'ArrowRight':
      return siblings(from).find((one) => isAfter(one, from)) ?? from
    case 'ArrowLeft':
      return siblings(from).findLast((one) => isAfter(from, one)) ?? from
    default:
      return from
  }

  function siblings(element: Element): Element[] {
    return [...(element.parentElement?.children ?? [])].filter((one) => isSeen(one) && !isOurs(one))
  }
}

function isAfter(one: Element, other: Element): boolean {
  return (other.compareDocumentPosition(one) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0
}

function isSeen(element: Element): boolean {
  const { width, height } = element.getBoundingClientRect()
  return width > 0 && height > 0 && getComputedStyle(element).visibility === 'visible'
}

/** How far up lasting ancestors are looked for, and how long a selector by place may take to find. */
const depth = 12
const finderMs = 500

/** The ways to find an element again, the best first. */
function selectorsOf(element: Element): readonly SelectorCandidate[] {
  return rankSelectors({
    element: factsOf(element),
    ancestors: ancestorsOf(element).slice(0, depth).map(factsOf),
    count: (selector) => document.querySelectorAll(selector).length,
    countWithText: (selector, text) =>
      [...document.querySelectorAll(selector)].filter((one) => textOf(one) === text).length,
    byPlace: () => selectorByPlace(element),
  })
}

/** An element in words: `button "Save"`. */
function describeElement(element: Element): string {
  const name = element.getAttribute('aria-label') ?? textOf(element)?.slice(0, 40)
  const tag = element.getAttribute('role') ?? element.localName
  return name === undefined ? tag : `${tag} “${name}”`
}

function factsOf(element: Element): ElementFacts {
  const attributes = Object.fromEntries([...element.attributes].map(({ name, value }) => [name, value]))
  return { tag: element.localName, attributes, text: textOf(element) }
}

function ancestorsOf(element: Element): readonly Element[] {
  const parent = element.parentElement
  return parent === null ? [] : [parent, ...ancestorsOf(parent)]
}

function selectorByPlace(element: Element): string | undefined {
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

/** Scrolls what lies under the shield, as the wheel would have done. */
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
