import { matchesRoute } from '../../src/tours/player/match-route.ts'
import type { Appearance } from './appearance.ts'
import { tellPage } from './hooks.ts'
import type { PageTracker } from './page-tracker.ts'
import type { Platform } from './platform.ts'
import { createPlay, type Outcome, type Play, type PlayListener } from './play.ts'
import type { PlayableTip, PlayableTour } from './protocol.ts'
import type { Reporter, TourEvent } from './reporter.ts'
import type { Stage } from './stage/stage.ts'
import type { StoredPlay, TourStorage } from './tour-storage.ts'
import type { Visitor } from './visitor.ts'

interface TourControllerOptions {
  readonly platform: Platform
  readonly page: PageTracker
  readonly visitor: Visitor
  readonly stage: Stage
  readonly reporter: Reporter
  readonly say: Appearance['say']
}

/** A tour of the page and its state for this visitor. */
interface ListedTour {
  readonly id: string
  readonly label: string
  readonly launch: PlayableTour['launch']
  readonly state: 'new' | 'under_way' | 'completed' | 'dismissed'
}

/** The tour that is played, and its step; `position` counts from 1. */
interface CurrentStep {
  readonly tour: string
  readonly step: string
  readonly position: number
  readonly total: number
}

/** Decides which tour is shown: one at a time, and automatically only tours that the visitor has not seen. */
export interface TourController {
  /** Resumes the play of this tab, or else starts or offers a tour of this page. */
  readonly resumeOrOffer: () => Promise<void>
  /** Starts a tour, even when it was seen before; without an id the first one of this page. False: no such tour. */
  readonly start: (id?: string) => Promise<boolean>
  /** Closes the tour without a trace. */
  readonly stop: () => void
  /** Ends the tour as its close button does. */
  readonly end: () => void
  /** Continues, goes back, or goes to a step by its id or position from 1; false: no tour is played, or no such step. */
  readonly next: () => boolean
  readonly back: () => boolean
  readonly go: (step: string | number) => boolean
  /** The step that the tour is at; null: no tour is played. */
  readonly current: () => CurrentStep | null
  readonly list: () => Promise<readonly ListedTour[]>
  /** Disables automatic starts, when a builder has connected. */
  readonly disable: () => void
}

export function createTourController(options: TourControllerOptions): TourController {
  const { platform, page, visitor: storage, stage, reporter, say } = options
  let play: Play | undefined
  let tourOfPlay: PlayableTour | undefined
  /** Increases with each check, so that an outdated check can be recognised. */
  let checks = 0
  let disabled = false
  /** Tours none of whose elements appeared on this page: another tour may be shown. */
  const emptyTours = new Set<string>()

  function openPlay(tour: PlayableTour): Play {
    play?.end('stopped')
    const onEnd = (outcome: Outcome) => {
      play = undefined
      tourOfPlay = undefined
      if (outcome !== 'empty') return
      emptyTours.add(tour.id)
      void resumeOrOffer()
    }
    const listener = createRecorder({ tour, page, storage, reporter, onEnd })
    play = createPlay({ tour, stage, page, say, listener, anywhere: false })
    tourOfPlay = tour
    return play
  }

  async function resumeOrOffer(): Promise<void> {
    if (disabled) return
    checks += 1
    const check = checks
    const isOutdated = () => check !== checks || play !== undefined || disabled
    const stored = storage.play()
    if (stored !== undefined) {
      const tour = await platform.tour(stored.tour)
      if (isOutdated()) return
      if (tour !== undefined) return openPlay(tour).resume(stepIndex(tour, stored.step), stored.path)
    }
    const [tours] = await Promise.all([platform.toursAt(page.now()), storage.ready()])
    if (isOutdated()) return
    stage.clear()
    const tour = tours.find(mayShow)
    if (tour === undefined) return
    const isFresh = storage.of(tour.id)?.state !== 'under_way'
    if (tour.launch === 'auto' && isFresh) openPlay(tour).begin(0, { bySelf: true })
    else invite(tour)
  }

  function mayShow(tour: PlayableTour): boolean {
    const state = storage.of(tour.id)?.state
    if (emptyTours.has(tour.id)) return false
    if (tour.launch === 'manual' || !storage.mayGet(tour)) return false
    if (tour.launch === 'invite' || state === 'under_way') return true
    // A tour that begins on another page must not navigate automatically.
    const first = tour.tips[0]?.route
    return !first || matchesRoute(first, page.now())
  }

  function invite(tour: PlayableTour): void {
    const { state, step: last } = storage.of(tour.id) ?? {}
    const step = state === 'under_way' ? last : undefined
    stage.showNotice({
      title: tour.label,
      text:
        step === undefined
          ? say(tour.tips.length === 1 ? 'one_step' : 'steps', { total: tour.tips.length })
          : say('unfinished'),
      actions: [
        {
          label: say(step === undefined ? 'take' : 'resume'),
          run: () => openPlay(tour).begin(stepIndex(tour, step)),
        },
        {
          label: say('decline'),
          run() {
            storage.store(tour.id, { state: 'dismissed', at: new Date().toISOString() })
            stage.clear()
          },
        },
      ],
    })
  }

  function control(action: (played: Play) => void): boolean {
    if (play === undefined) return false
    action(play)
    return true
  }

  page.onChange(() => {
    emptyTours.clear()
    if (play !== undefined) play.pageChanged()
    else void resumeOrOffer()
  })

  return {
    resumeOrOffer,
    async start(id) {
      const tour = id === undefined ? (await platform.toursAt(page.now()))[0] : await platform.tour(id)
      if (tour === undefined) return false
      checks += 1
      play?.end('stopped')
      storage.storePlay(undefined)
      openPlay(tour).begin(0)
      return true
    },
    stop() {
      checks += 1
      play?.end('stopped')
      stage.clear()
    },
    end: () => play?.end('dismissed'),
    next: () => control((played) => played.next()),
    back: () => control((played) => played.back()),
    go(step) {
      const tips = tourOfPlay?.tips ?? []
      const index = typeof step === 'number' ? step - 1 : tips.findIndex(({ id }) => id === step)
      return tips[index] !== undefined && control((played) => played.begin(index))
    },
    current() {
      const stored = storage.play()
      if (play === undefined || tourOfPlay === undefined || stored === undefined) return null
      return hookOf(tourOfPlay, stored.step)
    },
    async list() {
      const tours = await platform.toursAt(page.now())
      return tours.map(({ id, label, launch }) => ({
        id,
        label,
        launch,
        state: storage.of(id)?.state ?? 'new',
      }))
    },
    disable() {
      disabled = true
      play?.end('stopped')
      stage.clear()
    },
  }
}

function stepIndex(tour: PlayableTour, step: string | undefined): number {
  return Math.max(
    0,
    tour.tips.findIndex(({ id }) => id === step),
  )
}

function hookOf(tour: PlayableTour, step: string): CurrentStep {
  return { tour: tour.id, step, position: stepIndex(tour, step) + 1, total: tour.tips.length }
}

interface RecorderOptions {
  readonly tour: PlayableTour
  readonly page: PageTracker
  readonly storage: TourStorage
  readonly reporter: Reporter
  readonly onEnd: (outcome: Outcome) => void
}

/** Records the events of a play, stores its state and calls the hooks of the page. Each event is recorded once, even when the play spans several pages. */
function createRecorder({ tour, page, storage, reporter, onEnd }: RecorderOptions): PlayListener {
  const stored = storage.play()
  let play: StoredPlay =
    stored?.tour === tour.id
      ? stored
      : { tour: tour.id, play: newId(), step: tour.tips[0]?.id ?? '', startedAt: Date.now(), told: [] }
  let shownAt = Date.now()

  function storeStep({ id }: PlayableTip, path?: string): void {
    play = { ...play, step: id, path }
    storage.storePlay(play)
  }

  /** Whether the event is new. */
  function record(event: TourEvent['event'], details: Pick<TourEvent, 'step_id' | 'duration'> = {}): boolean {
    const key = `${event} ${details.step_id ?? ''}`
    if (play.told.includes(key)) return false
    play = { ...play, told: [...play.told, key] }
    storage.storePlay(play)
    reporter.add(tour.id, { event, play: play.play, at: new Date().toISOString(), ...details })
    return true
  }

  function end(outcome: Outcome): void {
    const state = outcome === 'completed' || outcome === 'dismissed' ? outcome : undefined
    if (state !== undefined) {
      storage.store(tour.id, { state, step: play.step, at: new Date().toISOString() })
      record(state === 'completed' ? 'complete' : 'dismiss', durationSince(play.startedAt))
    }
    storage.storePlay(undefined)
    reporter.flush()
    onEnd(outcome)
    if (state !== undefined) tellPage(state, hookOf(tour, play.step))
  }

  return {
    shown(tip) {
      shownAt = Date.now()
      storeStep(tip, page.now().path)
      storage.store(tour.id, { state: 'under_way', step: tip.id, at: new Date().toISOString() })
      const isFirst = record('view')
      record('step_view', { step_id: tip.id })
      if (isFirst) tellPage('started', hookOf(tour, tip.id))
      tellPage('stepShown', hookOf(tour, tip.id))
    },
    passed(tip, _index, next) {
      record('start')
      record('step_complete', { step_id: tip.id, ...durationSince(shownAt) })
      if (next !== undefined) storeStep(next)
    },
    missing(tip) {
      storeStep(tip)
      record('step_missing', { step_id: tip.id })
      console.warn(`Tour "${tour.id}": the element of the step "${tip.id}" did not appear: ${tip.selector}`)
      tellPage('stepMissing', hookOf(tour, tip.id))
    },
    leaving(index) {
      const tip = tour.tips[index]
      if (tip !== undefined) storeStep(tip)
      reporter.flush()
    },
    ended: end,
  }
}

const daySeconds = 86_400

/** The duration since a time. Omitted after a day: the tab was left open, and the platform would refuse it. */
function durationSince(since: number): Pick<TourEvent, 'duration'> {
  const duration = Math.max(0, Date.now() - since) / 1_000
  return duration > daySeconds ? {} : { duration }
}

/** A UUID; `crypto.randomUUID` is not available on pages without TLS. */
function newId(): string {
  if (typeof crypto.randomUUID === 'function') return crypto.randomUUID()
  const bytes = crypto.getRandomValues(new Uint8Array(16))
  const hex = [...bytes].map((byte, index) => {
    const value = index === 6 ? (byte & 0x0f) | 0x40 : index === 8 ? (byte & 0x3f) | 0x80 : byte
    return value.toString(16).padStart(2, '0')
  })
  return [hex.slice(0, 4), hex.slice(4, 6), hex.slice(6, 8), hex.slice(8, 10), hex.slice(10)]
    .map((part) => part.join(''))
    .join('-')
}
