import { matchesRoute, pathOfRoute } from '../../src/tours/player/match-route.ts'
import { type Found, findElement, waitForElement } from './find-element.ts'
import type { Places } from './places.ts'
import type { PlayableTip, PlayableTour } from './protocol.ts'
import type { Stage } from './stage/stage.ts'
import type { StepAction, StepView } from './stage/step-card.ts'

export type Outcome = 'completed' | 'dismissed' | 'stopped' | 'empty'

/** Hears what happens in a play: the analytics of a real one, the builder of a preview. */
export interface Witness {
  shown(tip: PlayableTip, index: number, selector: string | null): void
  /** The visitor went on from a step. */
  passed(tip: PlayableTip, index: number): void
  /** The element of a step did not come. */
  skipped(tip: PlayableTip, index: number): void
  /** The step is on another page, which opens now; without a path it is waited for. */
  leaving(index: number, to: { readonly route: string; readonly path: string | undefined }): void
  ended(outcome: Outcome): void
}

export interface PlayOptions {
  readonly tour: PlayableTour
  readonly stage: Stage
  readonly places: Places
  readonly witness: Witness
  /** Steps without a route show wherever the page is, as a preview wants it. */
  readonly anywhere: boolean
}

/** One play-through of a tour in this page. */
export interface Play {
  /** Goes to a step, opening its page if that is another. */
  begin(index: number): void
  /** Goes on at a step if it is on this page; else waits for its page to be opened. */
  resume(index: number): void
  /** The page went to another address. */
  placeChanged(): void
  stop(): void
}

/** How long an element may take to appear. */
const patienceMs = 5_000

/**
 * | state    | what happens                     | then                                                  |
 * |----------|----------------------------------|-------------------------------------------------------|
 * | seeking  | the element comes                | showing                                               |
 * | seeking  | it does not come in time         | seeking the next step in the same direction, or ended |
 * | showing  | next, back                       | seeking; after the last step ended (completed)        |
 * | showing  | close, Escape                    | ended (dismissed)                                     |
 * | any      | the step is on another page      | away                                                  |
 * | showing  | the page goes elsewhere          | away, when the step is not there                      |
 * | away     | its page opens                   | seeking                                               |
 */
export function createPlay({ tour, stage, places, witness, anywhere }: PlayOptions): Play {
  const { tips } = tour
  let current = 0
  let shownIndex: number | undefined
  let seeking = new AbortController()
  let isOver = false
  /** Waited for once in vain: the next time a look is enough. */
  const missing = new Set<string>()

  function isHere({ route }: PlayableTip): boolean {
    if (route) return matchesRoute(route, places.now())
    return anywhere || tour.routes.some(({ route_name }) => matchesRoute(route_name, places.now()))
  }

  async function seek(index: number, direction: 1 | -1): Promise<void> {
    seeking.abort()
    seeking = new AbortController()
    const { signal } = seeking
    const tip = tips[index]
    if (tip === undefined) return passEdge(index)
    current = index
    if (!isHere(tip)) return leaveFor(tip, index)
    if (tip.location === 'center' || tip.selector === '') return show(tip, index, undefined)
    const timeoutMs = missing.has(tip.id) ? 0 : patienceMs
    const found = await waitForElement(tip, { timeoutMs, signal })
    if (signal.aborted || isOver) return
    if (found !== undefined) return show(tip, index, found)
    missing.add(tip.id)
    witness.skipped(tip, index)
    await seek(index + direction, direction)
  }

  /** Before the first step there is nothing: the one that was shown stays. After the last, the tour is over. */
  function passEdge(index: number): void {
    if (index >= tips.length) end(shownIndex === undefined ? 'empty' : 'completed')
    else if (shownIndex !== undefined) void seek(shownIndex, 1)
  }

  function show(tip: PlayableTip, index: number, found: Found | undefined): void {
    shownIndex = index
    const note = noteAbout(tips[index + 1])
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
    witness.shown(tip, index, found?.selector ?? null)
  }

  function act(action: StepAction, tip: PlayableTip, index: number): void {
    if (action === 'close') return end('dismissed')
    if (action === 'previous' && index === 0) return
    stage.setBusy()
    if (action === 'next') witness.passed(tip, index)
    void seek(index + (action === 'next' ? 1 : -1), action === 'next' ? 1 : -1)
  }

  function noteAbout(next: PlayableTip | undefined): string | undefined {
    if (next === undefined || isHere(next)) return undefined
    const { route, path } = whereIs(next)
    return path === undefined ? `The next step is on another page: ${route}` : `Next opens ${path}`
  }

  function whereIs({ route }: PlayableTip): { route: string; path: string | undefined } {
    if (route) return { route, path: pathOfRoute(route) }
    const names = tour.routes.map(({ route_name }) => route_name)
    const open = names.find((name) => pathOfRoute(name) !== undefined)
    return { route: open ?? names[0] ?? '', path: open === undefined ? undefined : pathOfRoute(open) }
  }

  function leaveFor(tip: PlayableTip, index: number): void {
    const to = whereIs(tip)
    shownIndex = undefined
    witness.leaving(index, to)
    if (to.path !== undefined) return openPage(to.path)
    stage.clear()
    stage.showNotice({
      title: tour.label,
      text: `The tour goes on at: ${to.route}`,
      actions: [{ label: 'End the tour', run: () => end('dismissed') }],
    })
  }

  function end(outcome: Outcome): void {
    if (isOver) return
    isOver = true
    seeking.abort()
    stage.clear()
    witness.ended(outcome)
  }

  function resume(index: number): void {
    const tip = tips[index]
    if (isOver || tip === undefined) return
    current = index
    seeking.abort()
    if (isHere(tip)) void seek(index, 1)
    else stage.clear()
  }

  return {
    begin: (index) => void seek(index, 1),
    resume,
    placeChanged() {
      missing.clear()
      resume(current)
    },
    stop: () => end('stopped'),
  }
}

/** A page that changes its address without loading may take this on itself; else it loads. */
function openPage(path: string): void {
  const asking = new CustomEvent('tutti-tours:navigate', { detail: { path }, cancelable: true })
  if (window.dispatchEvent(asking)) window.location.assign(path)
}
