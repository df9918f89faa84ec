import { createBodyCleaner } from './clean-body.ts'
import { drawAround } from './draw-around.ts'
import { followElement } from './follow-element.ts'
import { focusedElement, keepFocus } from './keep-focus.ts'
import { makeElement } from './make-element.ts'
import { makeNoticeCard, type Notice } from './notice-card.ts'
import { createOutlines, type Outlines } from './outlines.ts'
import { placeCard } from './place-card.ts'
import { makeStepCard, type StepAction, type StepCard, type StepView } from './step-card.ts'
import { createSurface, type Surface } from './surface.ts'

/** What the player shows over a page: one step or one notice at a time, and outlines. */
export interface Stage {
  /** Shows a step beside its element. `find` is asked again when the page replaces it; without an element, in the middle. */
  showStep(view: StepView, find: () => Element | null, onAction: (action: StepAction) => void): void
  /** The step that is shown takes no further press. */
  setBusy(): void
  /** A small card at the edge that leaves the page usable. */
  showNotice(notice: Notice): void
  /** Takes everything away and gives the focus back. */
  clear(): void
  readonly outlines: Outlines
  readonly surface: Surface
}

interface Shown {
  readonly card?: StepCard
  readonly takeAway: () => void
}

/** How soon a card is back after the page removed it along with its own content. */
const upkeepMs = 250

export function createStage({ theme }: { theme: () => string | undefined }): Stage {
  const surface = createSurface({ theme })
  const cleanBody = createBodyCleaner()
  let shown: Shown | undefined
  /** What had the focus before the first step, or got it from the page meanwhile. */
  let focusBefore: Element | null | undefined

  function takeAway(): void {
    shown?.takeAway()
    shown = undefined
  }

  function showStep(...[view, find, onAction]: Parameters<Stage['showStep']>): void {
    if (view.modal && focusBefore === undefined) focusBefore = focusedElement()
    takeAway()
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
    const upkeep = setInterval(() => {
      if (!surface.isLost()) return
      surface.raise()
      if (view.modal && hasKeyboard()) card.focus()
    }, upkeepMs)
    const focus = view.modal
      ? keepFocus({
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
      takeAway() {
        following.stop()
        clearInterval(upkeep)
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
      takeAway()
      const card = makeNoticeCard(notice)
      surface.root.append(card)
      surface.raise()
      surface.announce(notice.text)
      shown = { takeAway: () => card.remove() }
    },
    clear() {
      takeAway()
      surface.tidy()
      if (focusBefore instanceof HTMLElement && focusBefore.isConnected && hasKeyboard())
        focusBefore.focus({ preventScroll: true })
      focusBefore = undefined
    },
  }
}

/** A framed page leaves the keyboard to the page around it: somebody may be typing there. */
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
