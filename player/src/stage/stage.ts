import { rectOf } from '../inner-roots.ts'
import type { Rect } from '../protocol.ts'
import { createBodyCleaner } from './clean-body.ts'
import { followElement, visibleArea } from './follow-element.ts'
import { makeButton, makeElement } from './make-element.ts'
import { type CardPosition, placeCard, type Size } from './place-card.ts'
import { makeStepCard, type StepAction, type StepCard, type StepView } from './step-card.ts'
import { createSurface, type Surface, type SurfaceOptions } from './surface.ts'
import { focusedElement, keepFocus, trapFocus } from './trap-focus.ts'

/** The visible part of the player: one step or one notice at a time, and outlines. */
export interface Stage {
  /** Shows a step next to its element, or in the middle without one. `find` is called again when the page replaces it. */
  showStep(view: StepView, find: () => Element | null, onAction: (action: StepAction) => void): void
  /** Disables the buttons of the current step. */
  setBusy(): void
  /** Shows a small card at the edge of the window; the page stays usable. */
  showNotice(notice: Notice): void
  /** Removes everything and restores the focus. */
  clear(): void
  readonly outlines: Outlines
  readonly surface: Surface
}

interface Shown {
  readonly card?: StepCard
  readonly remove: () => void
}

/** How often the stage checks whether the page has removed the card with its own content. */
const restoreEveryMs = 250

export function createStage({ theme, appearance }: SurfaceOptions): Stage {
  const { say } = appearance
  const surface = createSurface({ theme, appearance })
  const cleanBody = createBodyCleaner(appearance.mediaOrigins)
  let shown: Shown | undefined
  /** The element that had the focus before the first step, or that the page focused since. */
  let focusBefore: Element | null | undefined

  function remove(): void {
    shown?.remove()
    shown = undefined
  }

  function showStep(...[view, find, onAction]: Parameters<Stage['showStep']>): void {
    const isPlayed = view.reach !== 'all'
    if (isPlayed && focusBefore === undefined) focusBefore = focusedElement()
    remove()
    const card = makeStepCard(view, { cleanBody, say }, onAction)
    const shade = makeElement('div', { class: 'shade' })
    const spot = makeElement('div', { class: 'spot' })
    const arrow = makeElement('div', { class: 'arrow' })
    shade.hidden = !isPlayed
    shade.toggleAttribute('data-open', view.reach === 'page')
    surface.root.append(shade, spot, card.element, arrow)
    surface.raise()
    scrollToElement(find())
    const isRtl = getComputedStyle(document.documentElement).direction === 'rtl'
    const following = followElement(
      find,
      (rect) => {
        spot.hidden = rect === null
        shade.toggleAttribute('data-lit', rect !== null)
        shade.style.clipPath = rect !== null && view.reach === 'element' ? around(rect) : ''
        if (rect !== null) drawAround(spot, rect, 4)
        const { location, position } = view.tip
        const place = placeOnScreen(card.element, rect, (element, size, screen) =>
          placeCard({ element, card: size, screen, location, position, isRtl }),
        )
        const isPointing = rect !== null && place.side !== null && appearance.hasArrow()
        arrow.hidden = !isPointing
        if (isPointing) drawArrow(arrow, card.element, { rect, place })
      },
      card.element,
    )
    const restoring = setInterval(() => {
      if (!surface.isDetached()) return
      surface.raise()
      if (isPlayed && hasKeyboard()) card.focus()
    }, restoreEveryMs)
    const focus =
      view.reach === 'all'
        ? undefined
        : trapFocus({
            card: card.element,
            reach: view.reach,
            find,
            onKey: (key) =>
              pressKey(key, (action) => {
                if (action === 'close' || !card.isBusy()) onAction(action)
              }),
            focus: card.focus,
            onTaken: (element) => {
              focusBefore = element
            },
          })
    shown = {
      card,
      remove() {
        following.stop()
        clearInterval(restoring)
        focus?.stop()
        for (const element of [shade, spot, card.element, arrow]) element.remove()
      },
    }
    if (!isPlayed) return
    if (hasKeyboard()) card.focus()
    surface.announce(`${say('step', { step: view.index + 1, total: view.total })}: ${view.tip.label}`)
  }

  return {
    surface,
    outlines: createOutlines(surface),
    showStep,
    setBusy: () => shown?.card?.setBusy(),
    showNotice(notice) {
      remove()
      const card = makeNoticeCard(notice)
      surface.root.append(card)
      surface.raise()
      surface.announce(notice.text)
      const focus = keepFocus(card)
      const following = followElement(
        () => null,
        () => placeOnScreen(card, null, placeAside),
        card,
      )
      shown = {
        remove() {
          focus.stop()
          following.stop()
          card.remove()
        },
      }
    },
    clear() {
      // A visitor who uses the page has moved the focus, and keeps it.
      const hasFocus = surface.owns(document.activeElement) || document.activeElement === document.body
      remove()
      surface.removeIfEmpty()
      if (hasFocus && focusBefore instanceof HTMLElement && focusBefore.isConnected && hasKeyboard())
        focusBefore.focus({ preventScroll: true })
      focusBefore = undefined
    },
  }
}

/** Positions a card inside the visible part of the window; `choose` works with coordinates of that part. */
function placeOnScreen(
  card: HTMLElement,
  rect: Rect | null,
  choose: (element: Rect | null, card: Size, screen: Size) => CardPosition,
): CardPosition {
  const area = visibleArea()
  card.style.setProperty('--screen-width', `${area.width}px`)
  card.style.setProperty('--screen-height', `${area.height}px`)
  const { offsetWidth: width, offsetHeight: height } = card
  const element = rect === null ? null : { ...rect, x: rect.x - area.x, y: rect.y - area.y }
  const { x, y, side } = choose(element, { width, height }, area)
  const place = { x: Math.round(x + area.x), y: Math.round(y + area.y), side }
  card.style.translate = `${place.x}px ${place.y}px`
  return place
}

const asideMargin = 12

/** At the end of the last line of the window. */
function placeAside(_element: Rect | null, card: Size, screen: Size): CardPosition {
  const isRtl = getComputedStyle(document.documentElement).direction === 'rtl'
  const end = screen.width - card.width - asideMargin
  return { x: isRtl ? asideMargin : end, y: screen.height - card.height - asideMargin, side: null }
}

/** A shape of the window without a rectangle: clicks inside it reach the page. */
function around({ x, y, width, height }: Rect): string {
  const [right, bottom] = [x + width, y + height]
  const hole = [
    [x, y],
    [x, bottom],
    [right, bottom],
    [right, y],
    [x, y],
  ]
  const points = hole.map(([left, top]) => `${left}px ${top}px`).join(', ')
  return `polygon(evenodd, 0 0, 100% 0, 100% 100%, 0 100%, 0 0, ${points})`
}

/** Half the side of the arrow, and its least distance from the corners of the card. */
const arrowHalf = 6
const arrowInset = 18

function between(middle: number, from: number, length: number): number {
  return Math.max(from + arrowInset, Math.min(middle, from + length - arrowInset))
}

function drawArrow(
  arrow: HTMLElement,
  { offsetWidth, offsetHeight }: HTMLElement,
  { rect, place }: { readonly rect: Rect; readonly place: CardPosition },
): void {
  const { x, y, side } = place
  const isBeside = side === 'left' || side === 'right'
  const left = isBeside
    ? x + (side === 'left' ? offsetWidth - 1 : 0)
    : between(rect.x + rect.width / 2, x, offsetWidth)
  const top = isBeside
    ? between(rect.y + rect.height / 2, y, offsetHeight)
    : y + (side === 'top' ? offsetHeight - 1 : 0)
  arrow.dataset['side'] = side ?? ''
  arrow.style.translate = `${left - arrowHalf}px ${top - arrowHalf}px`
}

/** A framed page must not take the focus from the builder, where the editor may be typing. */
function hasKeyboard(): boolean {
  return window.parent === window || document.hasFocus()
}

function pressKey(key: string, onAction: (action: StepAction) => void): boolean {
  const forward = getComputedStyle(document.documentElement).direction === 'rtl' ? 'ArrowLeft' : 'ArrowRight'
  if (key === 'Escape') onAction('close')
  else if (key === forward) onAction('next')
  else if (key === 'ArrowLeft' || key === 'ArrowRight') onAction('previous')
  else return false
  return true
}

function scrollToElement(element: Element | null): void {
  if (element === null) return
  const { x, y, width, height } = rectOf(element)
  if (y >= 0 && x >= 0 && y + height <= window.innerHeight && x + width <= window.innerWidth) return
  const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches
  element.scrollIntoView({
    behavior: still ? 'auto' : 'smooth',
    block: height > window.innerHeight * 0.6 ? 'start' : 'center',
    inline: 'nearest',
  })
}

interface Notice {
  readonly title: string
  readonly text: string
  readonly actions: readonly { readonly label: string; readonly run: () => void }[]
}

/** A card at the edge of the window; its first action is the primary one. */
function makeNoticeCard({ title, text, actions }: Notice): HTMLElement {
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

/** Boxes around elements of the page, for the builder. */
interface Outlines {
  /** Outlines these elements only; the name is shown above the first. */
  show(elements: readonly Element[], name?: string): void
}

/** More outlines would not help the editor. */
const maxOutlines = 50

function createOutlines(surface: Surface): Outlines {
  let shown: { stop(): void }[] = []
  return {
    show(elements, name) {
      for (const one of shown) one.stop()
      shown = elements
        .slice(0, maxOutlines)
        .map((element, index) => outline(surface, element, index === 0 ? name : undefined))
      if (shown.length > 0) surface.raise()
      else surface.removeIfEmpty()
    },
  }
}

function outline(surface: Surface, element: Element, name: string | undefined): { stop(): void } {
  const box = makeElement('div', { class: 'outline' })
  if (name !== undefined) box.append(makeElement('span', {}, name))
  surface.root.append(box)
  const following = followElement(
    () => (element.isConnected ? element : null),
    (rect) => {
      box.hidden = rect === null
      if (rect === null) return
      drawAround(box, rect, 0)
      box.toggleAttribute('data-below', rect.y < 24)
    },
  )
  return {
    stop() {
      following.stop()
      box.remove()
    },
  }
}

/** Positions a box around a rectangle of the screen. */
function drawAround(box: HTMLElement, rect: Rect, padding: number): void {
  box.style.width = `${rect.width + padding * 2}px`
  box.style.height = `${rect.height + padding * 2}px`
  box.style.translate = `${rect.x - padding}px ${rect.y - padding}px`
}
