import DOMPurify from 'dompurify'
import { allowedTags, isAllowedLink } from '../../../src/tours/content/allowed-html.ts'
import type { Rect } from '../protocol.ts'
import { followElement } from './follow-element.ts'
import { makeButton, makeElement } from './make-element.ts'
import { placeCard } from './place-card.ts'
import { makeStepCard, type StepAction, type StepCard, type StepView } from './step-card.ts'
import { createSurface, type Surface } from './surface.ts'
import { focusedElement, trapFocus } from './trap-focus.ts'

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

export function createStage({ theme }: { theme: () => string | undefined }): Stage {
  const surface = createSurface({ theme })
  const cleanBody = createBodyCleaner()
  let shown: Shown | undefined
  /** The element that had the focus before the first step, or that the page focused since. */
  let focusBefore: Element | null | undefined

  function remove(): void {
    shown?.remove()
    shown = undefined
  }

  function showStep(...[view, find, onAction]: Parameters<Stage['showStep']>): void {
    if (view.modal && focusBefore === undefined) focusBefore = focusedElement()
    remove()
    const card = makeStepCard(view, cleanBody, onAction)
    const shade = makeElement('div', { class: 'shade' })
    const spot = makeElement('div', { class: 'spot' })
    if (!view.modal) shade.hidden = true
    surface.root.append(shade, spot, card.element)
    surface.raise()
    scrollToElement(find())
    const following = followElement(find, (rect) => {
      spot.hidden = rect === null
      shade.toggleAttribute('data-lit', rect !== null)
      if (rect !== null) drawAround(spot, rect, 4)
      const { offsetWidth: width, offsetHeight: height } = card.element
      const screen = { width: window.innerWidth, height: window.innerHeight }
      const { location } = view.tip
      const place = placeCard({ element: rect, card: { width, height }, screen, location })
      card.element.style.translate = `${Math.round(place.x)}px ${Math.round(place.y)}px`
    })
    const restoring = setInterval(() => {
      if (!surface.isDetached()) return
      surface.raise()
      if (view.modal && hasKeyboard()) card.focus()
    }, restoreEveryMs)
    const focus = view.modal
      ? trapFocus({
          card: card.element,
          onKey: (key) =>
            pressKey(key, (action) => {
              if (action === 'close' || !card.isBusy()) onAction(action)
            }),
          focus: card.focus,
          onTaken: (element) => {
            focusBefore = element
          },
        })
      : undefined
    shown = {
      card,
      remove() {
        following.stop()
        clearInterval(restoring)
        focus?.stop()
        for (const element of [shade, spot, card.element]) element.remove()
      },
    }
    if (!view.modal) return
    if (hasKeyboard()) card.focus()
    surface.announce(`Step ${view.index + 1} of ${view.total}: ${view.tip.label}`)
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
      shown = { remove: () => card.remove() }
    },
    clear() {
      remove()
      surface.removeIfEmpty()
      if (focusBefore instanceof HTMLElement && focusBefore.isConnected && hasKeyboard())
        focusBefore.focus({ preventScroll: true })
      focusBefore = undefined
    },
  }
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
  const { top, bottom, left, right, height } = element.getBoundingClientRect()
  if (top >= 0 && left >= 0 && bottom <= window.innerHeight && right <= window.innerWidth) return
  const still = window.matchMedia('(prefers-reduced-motion: reduce)').matches
  element.scrollIntoView({
    behavior: still ? 'auto' : 'smooth',
    block: height > window.innerHeight * 0.6 ? 'start' : 'center',
    inline: 'nearest',
  })
}

/** Creates a separate sanitiser instance, so that hooks of the page and hooks of the player do not affect each other. */
function createBodyCleaner(): (body: string) => DocumentFragment {
  const purify = DOMPurify(window)
  purify.addHook('uponSanitizeAttribute', (_element, attribute) => {
    attribute.keepAttr = attribute.attrName === 'href' && isAllowedLink(attribute.attrValue.trim())
  })
  return (body) =>
    purify.sanitize(body, {
      ALLOWED_TAGS: [...allowedTags],
      ALLOWED_ATTR: ['href'],
      ALLOW_DATA_ATTR: false,
      ALLOW_ARIA_ATTR: false,
      RETURN_DOM_FRAGMENT: true,
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
