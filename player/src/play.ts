import { matchesRoute, pathOfRoute } from '../../src/tours/player/match-route.ts'
import type { Appearance } from './appearance.ts'
import { type Found, findElement, waitForElement } from './find-element.ts'
import type { PageTracker } from './page-tracker.ts'
import type { PlayableTip, PlayableTour } from './protocol.ts'
import type { Stage } from './stage/stage.ts'
import type { StepAction, StepView } from './stage/step-card.ts'
import { watchUse } from './watch-use.ts'

export type Outcome = 'completed' | 'dismissed' | 'stopped' | 'empty'

/** Receives the events of a play: the recorder of a real play, or the builder of a preview. */
export interface PlayListener {
  shown(tip: PlayableTip, index: number, selector: string | null): void
  /** The visitor continued from a step; `next` is known when the page may be left at once. */
  passed(tip: PlayableTip, index: number, next?: PlayableTip): void
  /** The element of a step did not appear. */
  missing(tip: PlayableTip, index: number): void
  /** The step is on another page, which is opened; without a path the visitor has to open it. */
  leaving(index: number, to: { readonly route: string; readonly path: string | undefined }): void
  ended(outcome: Outcome): void
}

export interface PlayOptions {
  readonly tour: PlayableTour
  readonly stage: Stage
  readonly page: PageTracker
  readonly say: Appearance['say']
  readonly listener: PlayListener
  /** Whether steps without a route are shown on any page, as in a preview. */
  readonly anywhere: boolean
}

/** A play of a tour on this page. */
export interface Play {
  /** Shows a step, and opens its page first. A tour that starts by itself passes over missing elements until it shows a step. */
  begin(index: number, options?: { readonly bySelf?: boolean }): void
  /** Shows a step if it is on this page; otherwise waits until its page is opened. `from` is the path it was shown on. */
  resume(index: number, from?: string): void
  next(): void
  back(): void
  /** Must be called after a navigation. */
  pageChanged(): void
  end(outcome: 'dismissed' | 'stopped'): void
}

/** The step on the screen. */
interface Shown {
  readonly tip: PlayableTip
  readonly index: number
  /** The step that Next shows. */
  readonly next: number
  readonly isMissing: boolean
}

/** A page marks an element with this attribute: using it continues the step, as with `advance: click`. */
const marked = '[data-tutti-tour-advance]'

/** How long a page has to open another one after its element was used. */
const useMs = 250

/** How long to wait for an element before a message is shown. */
const waitMs = 5_000

/** The longest delay of a timer: the element may still come while the visitor reads. */
const foreverMs = 2 ** 31 - 1

/**
 * | state    | on                               | next                                                  |
 * |----------|----------------------------------|-------------------------------------------------------|
 * | seeking  | the element appears              | showing                                               |
 * | seeking  | timeout                          | missing; seeking the next step when nothing was shown |
 * | missing  | the element appears              | showing                                               |
 * | showing, missing | next, back               | seeking; after the last step ended (completed)        |
 * | showing  | its element is used              | seeking the next step; away, when that is elsewhere   |
 * | showing, missing | close, Escape            | ended (dismissed)                                     |
 * | any      | the step is on another page      | away                                                  |
 * | showing  | navigation                       | the next step, or away when it is not on the new page |
 * | away     | its page is opened               | seeking                                               |
 * | away     | continue                         | seeking the next step whose page can be opened        |
 *
 * A step whose element is to be used is no condition: Next goes on to the next step whose page can be opened.
 */
export function createPlay({ tour, stage, page, say, listener, anywhere }: PlayOptions): Play {
  const { tips } = tour
  let current = 0
  let shown: Shown | undefined
  let lastIndex: number | undefined
  let seeking = new AbortController()
  let stopWatching: (() => void) | undefined
  let hasEnded = false
  /** Whether missing elements are passed over: the tour started by itself, and has shown nothing yet. */
  let isSilent = false
  /** Whether the notice is shown that the tour continues on another page. */
  let isWaiting = false
  /** Whether the element of the step before was used, and the current step is not yet sought. */
  let isAfterUse = false
  /** Steps whose element did not appear: the next time they are checked without waiting. */
  const missing = new Set<string>()

  function isHere({ route }: PlayableTip): boolean {
    if (route) return matchesRoute(route, page.now())
    return anywhere || tour.routes.some(({ route_name }) => matchesRoute(route_name, page.now()))
  }

  async function seek(index: number, direction: 1 | -1): Promise<void> {
    leaveStep()
    isWaiting = false
    isAfterUse = false
    const { signal } = seeking
    const tip = tips[index]
    if (tip === undefined) return moveBeyondEnds(index)
    current = index
    if (!isHere(tip)) return openPageOf(tip, index)
    if (tip.location === 'center' || tip.selector === '') return show(tip, index, undefined)
    const found = await waitForElement(tip, { timeoutMs: missing.has(tip.id) ? 0 : waitMs, signal })
    if (signal.aborted) return
    if (found !== undefined) return show(tip, index, found)
    missing.add(tip.id)
    listener.missing(tip, index)
    if (isSilent) return await seek(index + direction, direction)
    showCard({ tip, index, next: index + 1, isMissing: true }, { reach: 'card' }, () => null)
    const late = await waitForElement(tip, { timeoutMs: foreverMs, signal })
    if (late !== undefined && !signal.aborted) show(tip, index, late)
  }

  /** Ends the wait for an element and for its use. */
  function leaveStep(): void {
    seeking.abort()
    seeking = new AbortController()
    stopWatching?.()
    shown = undefined
  }

  /** Before the first step, the current one stays; after the last, the tour ends. */
  function moveBeyondEnds(index: number): void {
    if (index >= tips.length) end(lastIndex === undefined ? 'empty' : 'completed')
    else if (lastIndex !== undefined) void seek(lastIndex, 1)
  }

  function show(tip: PlayableTip, index: number, found: Found | undefined): void {
    const advance = advanceOf(tip, found)
    const find = () => (found === undefined ? null : (findElement(tip)?.element ?? null))
    const next = advance === 'next' ? index + 1 : reachable(index + 1, 1)
    const reach = advance === 'next' ? 'card' : advance === 'click' ? 'element' : 'page'
    showCard({ tip, index, next, isMissing: false }, { reach }, find)
    if (advance === 'click' || advance === 'input')
      stopWatching = watchUse(find, advance, () => goOnAfterUse(tip, index))
    listener.shown(tip, index, found?.selector ?? null)
  }

  function showCard(step: Shown, { reach }: Pick<StepView, 'reach'>, find: () => Element | null): void {
    const { tip, index, isMissing } = step
    stopWatching?.()
    isSilent = false
    lastIndex = index
    shown = step
    const note = isMissing ? say('missing') : noteFor(tips[step.next])
    const view: StepView = {
      tip,
      index,
      total: tips.length,
      hasPrevious: index > 0,
      isLast: index === tips.length - 1,
      isMissing,
      ...(tour.langcode === undefined ? {} : { language: tour.langcode }),
      ...(note === undefined ? {} : { note: { text: note, warning: isMissing } }),
      reach,
    }
    stage.showStep(view, find, act)
  }

  function act(action: StepAction): void {
    if (action === 'close') return end('dismissed')
    if (shown === undefined) return
    const { tip, index, next, isMissing } = shown
    const before = index === 0 ? -1 : reachable(index - 1, -1)
    if (action === 'previous' && before < 0) return
    stage.setBusy()
    if (action === 'next' && !isMissing) listener.passed(tip, index)
    void seek(action === 'next' ? next : before, action === 'next' ? 1 : -1)
  }

  /** The visitor used the element. The page may now open another page, or a form first. */
  function goOnAfterUse(tip: PlayableTip, index: number): void {
    const next = tips[index + 1]
    listener.passed(tip, index, next)
    leaveStep()
    // The step must be gone before the page reacts, which may move the focus.
    stage.clear()
    current = index + 1
    isAfterUse = true
    if (next !== undefined && !isHere(next)) waitForPage(next, current, say('when_done'))
    // A link needs a moment until its page is open, and then the step may be elsewhere.
    else
      setTimeout(() => {
        if (!hasEnded && isAfterUse && !isWaiting) void seek(current, 1)
      }, useMs)
  }

  /** The first step from here on whose page is open or can be opened; beyond the ends when there is none. */
  function reachable(from: number, direction: 1 | -1): number {
    let index = from
    for (;;) {
      const tip = tips[index]
      if (tip === undefined || isHere(tip) || pageOf(tip).path !== undefined) return index
      index += direction
    }
  }

  function noteFor(next: PlayableTip | undefined): string | undefined {
    if (next === undefined || isHere(next)) return undefined
    const { route, path } = pageOf(next)
    return path === undefined ? say('next_elsewhere', { route }) : say('next_opens', { path })
  }

  function pageOf({ route }: PlayableTip): { route: string; path: string | undefined } {
    if (route) return { route, path: pathOfRoute(route) }
    const names = tour.routes.map(({ route_name }) => route_name)
    const open = names.find((name) => pathOfRoute(name) !== undefined)
    return { route: open ?? names[0] ?? '', path: open === undefined ? undefined : pathOfRoute(open) }
  }

  function openPageOf(tip: PlayableTip, index: number): void {
    const to = pageOf(tip)
    if (to.path === undefined) return waitForPage(tip, index, say('continues_on', { route: to.route }))
    lastIndex = undefined
    listener.leaving(index, to)
    openPage(to.path)
  }

  /** Waits until the visitor has opened the page of a step, or continues without it. */
  function waitForPage(tip: PlayableTip, index: number, text: string): void {
    current = index
    lastIndex = undefined
    listener.leaving(index, pageOf(tip))
    stage.clear()
    stage.showNotice({
      title: tour.label,
      text,
      actions: [
        { label: say('end'), run: () => end('dismissed') },
        ...(reachable(index, 1) === tips.length ? [] : [{ label: say('go_on'), run: continueElsewhere }]),
      ],
    })
    isWaiting = true
  }

  function continueElsewhere(): void {
    void seek(reachable(current, 1), 1)
  }

  function end(outcome: Outcome): void {
    if (hasEnded) return
    hasEnded = true
    leaveStep()
    stage.clear()
    listener.ended(outcome)
  }

  function resume(index: number, from?: string): void {
    const tip = tips[index]
    if (hasEnded) return
    if (tip === undefined) return moveBeyondEnds(index)
    if (tip.advance === 'navigation' && from !== undefined && from !== page.now().path) {
      listener.passed(tip, index)
      lastIndex = index
      isAfterUse = true
      return resume(index + 1)
    }
    current = index
    if (isHere(tip)) return void seek(index, 1)
    leaveStep()
    if (isAfterUse && !isWaiting) waitForPage(tip, index, say('when_done'))
    else if (!isWaiting) stage.clear()
  }

  return {
    begin(index, { bySelf = false } = {}) {
      isSilent = bySelf
      void seek(index, 1)
    },
    resume,
    next: () => (isWaiting ? continueElsewhere() : act('next')),
    back: () => act('previous'),
    pageChanged() {
      missing.clear()
      // The path before is unknown, and differs.
      resume(current, shown === undefined ? undefined : '')
    },
    end,
  }
}

/** What continues a step; without an element, only its buttons do. */
function advanceOf(tip: PlayableTip, found: Found | undefined): NonNullable<PlayableTip['advance']> {
  if (found === undefined) return 'next'
  if (tip.advance !== undefined && tip.advance !== 'next') return tip.advance
  return found.element.matches(marked) ? 'click' : 'next'
}

/** Opens a page. A single-page application can cancel the event and navigate itself. */
function openPage(path: string): void {
  const event = new CustomEvent('tutti-tours:navigate', { detail: { path }, cancelable: true })
  if (window.dispatchEvent(event)) window.location.assign(path)
}
