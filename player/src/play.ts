import { matchesRoute, pathOfRoute } from '../../src/tours/player/match-route.ts'
import { type Found, findElement, waitForElement } from './find-element.ts'
import type { PageTracker } from './page-tracker.ts'
import type { PlayableTip, PlayableTour } from './protocol.ts'
import type { Stage } from './stage/stage.ts'
import type { StepAction, StepView } from './stage/step-card.ts'

export type Outcome = 'completed' | 'dismissed' | 'stopped' | 'empty'

/** Receives the events of a play: the recorder of a real play, or the builder of a preview. */
export interface PlayListener {
  shown(tip: PlayableTip, index: number, selector: string | null): void
  /** The visitor continued from a step. */
  passed(tip: PlayableTip, index: number): void
  /** The element of a step did not appear. */
  skipped(tip: PlayableTip, index: number): void
  /** The step is on another page, which is opened; without a path the visitor has to open it. */
  leaving(index: number, to: { readonly route: string; readonly path: string | undefined }): void
  ended(outcome: Outcome): void
}

export interface PlayOptions {
  readonly tour: PlayableTour
  readonly stage: Stage
  readonly page: PageTracker
  readonly listener: PlayListener
  /** Whether steps without a route are shown on any page, as in a preview. */
  readonly anywhere: boolean
}

/** A play of a tour on this page. */
export interface Play {
  /** Shows a step, and opens its page first if it is another one. */
  begin(index: number): void
  /** Shows a step if it is on this page; otherwise waits until its page is opened. */
  resume(index: number): void
  /** Must be called after a navigation. */
  pageChanged(): void
  stop(): void
}

/** How long to wait for an element. */
const waitMs = 5_000

/**
 * | state    | on                               | next                                                  |
 * |----------|----------------------------------|-------------------------------------------------------|
 * | seeking  | the element appears              | showing                                               |
 * | seeking  | timeout                          | seeking the next step in the same direction, or ended |
 * | showing  | next, back                       | seeking; after the last step ended (completed)        |
 * | showing  | close, Escape                    | ended (dismissed)                                     |
 * | any      | the step is on another page      | away                                                  |
 * | showing  | navigation                       | away, when the step is not on the new page            |
 * | away     | its page is opened               | seeking                                               |
 */
export function createPlay({ tour, stage, page, listener, anywhere }: PlayOptions): Play {
  const { tips } = tour
  let current = 0
  let shownIndex: number | undefined
  let seeking = new AbortController()
  let hasEnded = false
  /** Steps whose element did not appear: the next time they are checked without waiting. */
  const missing = new Set<string>()

  function isHere({ route }: PlayableTip): boolean {
    if (route) return matchesRoute(route, page.now())
    return anywhere || tour.routes.some(({ route_name }) => matchesRoute(route_name, page.now()))
  }

  async function seek(index: number, direction: 1 | -1): Promise<void> {
    seeking.abort()
    seeking = new AbortController()
    const { signal } = seeking
    const tip = tips[index]
    if (tip === undefined) return moveBeyondEnds(index)
    current = index
    if (!isHere(tip)) return openPageOf(tip, index)
    if (tip.location === 'center' || tip.selector === '') return show(tip, index, undefined)
    const timeoutMs = missing.has(tip.id) ? 0 : waitMs
    const found = await waitForElement(tip, { timeoutMs, signal })
    if (signal.aborted || hasEnded) return
    if (found !== undefined) return show(tip, index, found)
    missing.add(tip.id)
    listener.skipped(tip, index)
    await seek(index + direction, direction)
  }

  /** Before the first step, the current one stays; after the last, the tour ends. */
  function moveBeyondEnds(index: number): void {
    if (index >= tips.length) end(shownIndex === undefined ? 'empty' : 'completed')
    else if (shownIndex !== undefined) void seek(shownIndex, 1)
  }

  function show(tip: PlayableTip, index: number, found: Found | undefined): void {
    shownIndex = index
    const note = noteFor(tips[index + 1])
    const view: StepView = {
      tip,
      index,
      total: tips.length,
      hasPrevious: index > 0,
      isLast: index === tips.length - 1,
      ...(note === undefined ? {} : { note: { text: note } }),
      modal: true,
    }
    const find = () => (found === undefined ? null : (findElement(tip)?.element ?? null))
    stage.showStep(view, find, (action) => act(action, tip, index))
    listener.shown(tip, index, found?.selector ?? null)
  }

  function act(action: StepAction, tip: PlayableTip, index: number): void {
    if (action === 'close') return end('dismissed')
    if (action === 'previous' && index === 0) return
    stage.setBusy()
    if (action === 'next') listener.passed(tip, index)
    void seek(index + (action === 'next' ? 1 : -1), action === 'next' ? 1 : -1)
  }

  function noteFor(next: PlayableTip | undefined): string | undefined {
    if (next === undefined || isHere(next)) return undefined
    const { route, path } = pageOf(next)
    return path === undefined ? `The next step is on another page: ${route}` : `Next opens ${path}`
  }

  function pageOf({ route }: PlayableTip): { route: string; path: string | undefined } {
    if (route) return { route, path: pathOfRoute(route) }
    const names = tour.routes.map(({ route_name }) => route_name)
    const open = names.find((name) => pathOfRoute(name) !== undefined)
    return { route: open ?? names[0] ?? '', path: open === undefined ? undefined : pathOfRoute(open) }
  }

  function openPageOf(tip: PlayableTip, index: number): void {
    const to = pageOf(tip)
    shownIndex = undefined
    listener.leaving(index, to)
    if (to.path !== undefined) return openPage(to.path)
    stage.clear()
    stage.showNotice({
      title: tour.label,
      text: `The tour continues on the page: ${to.route}`,
      actions: [{ label: 'End the tour', run: () => end('dismissed') }],
    })
  }

  function end(outcome: Outcome): void {
    if (hasEnded) return
    hasEnded = true
    seeking.abort()
    stage.clear()
    listener.ended(outcome)
  }

  function resume(index: number): void {
    const tip = tips[index]
    if (hasEnded || tip === undefined) return
    current = index
    seeking.abort()
    if (isHere(tip)) void seek(index, 1)
    else stage.clear()
  }

  return {
    begin: (index) => void seek(index, 1),
    resume,
    pageChanged() {
      missing.clear()
      resume(current)
    },
    stop: () => end('stopped'),
  }
}

/** Opens a page. A single-page application can cancel the event and navigate itself. */
function openPage(path: string): void {
  const event = new CustomEvent('tutti-tours:navigate', { detail: { path }, cancelable: true })
  if (window.dispatchEvent(event)) window.location.assign(path)
}
