import { matchesRoute } from '../../src/tours/player/match-route.ts'
import type { PageTracker } from './page-tracker.ts'
import type { Platform } from './platform.ts'
import { createPlay, type Outcome, type Play, type PlayListener } from './play.ts'
import type { PlayableTour } from './protocol.ts'
import type { Reporter, TourEvent } from './reporter.ts'
import type { Stage } from './stage/stage.ts'
import type { StoredPlay, TourStorage } from './tour-storage.ts'

interface TourControllerOptions {
  readonly platform: Platform
  readonly page: PageTracker
  readonly storage: TourStorage
  readonly stage: Stage
  readonly reporter: Reporter
}

/** A tour of the page and its state for this visitor. */
interface ListedTour {
  readonly id: string
  readonly label: string
  readonly launch: PlayableTour['launch']
  readonly state: 'new' | 'under_way' | 'completed' | 'dismissed'
}

/** Decides which tour is shown: one at a time, and automatically only tours that the visitor has not seen. */
export interface TourController {
  /** Resumes the play of this tab, or else starts or offers a tour of this page. */
  readonly resumeOrOffer: () => Promise<void>
  /** Starts a tour, even when it was seen before; without an id the first one of this page. False: no such tour. */
  readonly start: (id?: string) => Promise<boolean>
  readonly stop: () => void
  readonly list: () => Promise<readonly ListedTour[]>
  /** Disables automatic starts, when a builder has connected. */
  readonly disable: () => void
}

export function createTourController(options: TourControllerOptions): TourController {
  const { platform, page, storage, stage, reporter } = options
  let play: Play | undefined
  /** Increases with each check, so that an outdated check can be recognised. */
  let checks = 0
  let disabled = false
  /** Tours none of whose elements appeared on this page: another tour may be shown. */
  const emptyTours = new Set<string>()

  function openPlay(tour: PlayableTour): Play {
    play?.stop()
    const onEnd = (outcome: Outcome) => {
      play = undefined
      if (outcome !== 'empty') return
      emptyTours.add(tour.id)
      void resumeOrOffer()
    }
    const listener = createRecorder({ tour, storage, reporter, onEnd })
    play = createPlay({ tour, stage, page, listener, anywhere: false })
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
      if (tour !== undefined) return openPlay(tour).resume(stepIndex(tour, stored.step))
    }
    const tours = await platform.toursAt(page.now())
    if (isOutdated()) return
    stage.clear()
    const tour = tours.find(mayShow)
    if (tour === undefined) return
    if (tour.launch === 'auto' && storage.of(tour.id) === undefined) openPlay(tour).begin(0)
    else invite(tour)
  }

  function mayShow(tour: PlayableTour): boolean {
    const state = storage.of(tour.id)?.state
    if (emptyTours.has(tour.id)) return false
    if (tour.launch === 'manual' || state === 'completed' || state === 'dismissed') return false
    if (tour.launch === 'invite' || state === 'under_way') return true
    // A tour that begins on another page must not navigate automatically.
    const first = tour.tips[0]?.route
    return !first || matchesRoute(first, page.now())
  }

  function invite(tour: PlayableTour): void {
    const step = storage.of(tour.id)?.step
    stage.showNotice({
      title: tour.label,
      text:
        step === undefined
          ? `A tour of ${tour.tips.length === 1 ? 'one step' : `${tour.tips.length} steps`}.`
          : 'You have not finished this tour.',
      actions: [
        {
          label: step === undefined ? 'Take the tour' : 'Resume',
          run: () => openPlay(tour).begin(stepIndex(tour, step)),
        },
        {
          label: 'No, thanks',
          run() {
            storage.store(tour.id, { state: 'dismissed', at: new Date().toISOString() })
            stage.clear()
          },
        },
      ],
    })
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
      play?.stop()
      storage.storePlay(undefined)
      openPlay(tour).begin(0)
      return true
    },
    stop() {
      checks += 1
      play?.stop()
      stage.clear()
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
      play?.stop()
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

interface RecorderOptions {
  readonly tour: PlayableTour
  readonly storage: TourStorage
  readonly reporter: Reporter
  readonly onEnd: (outcome: Outcome) => void
}

/** Records the events of a play and stores its state. Each event is recorded once, even when the play spans several pages. */
function createRecorder({ tour, storage, reporter, onEnd }: RecorderOptions): PlayListener {
  const stored = storage.play()
  let play: StoredPlay =
    stored?.tour === tour.id
      ? stored
      : { tour: tour.id, play: newId(), step: tour.tips[0]?.id ?? '', startedAt: Date.now(), told: [] }
  let shownAt = Date.now()

  function storeStep(step: string): void {
    play = { ...play, step }
    storage.storePlay(play)
  }

  function record(event: TourEvent['event'], details: Pick<TourEvent, 'step_id' | 'duration'> = {}): void {
    const key = `${event} ${details.step_id ?? ''}`
    if (play.told.includes(key)) return
    play = { ...play, told: [...play.told, key] }
    storage.storePlay(play)
    reporter.add(tour.id, { event, play: play.play, at: new Date().toISOString(), ...details })
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
  }

  return {
    shown(tip) {
      shownAt = Date.now()
      storeStep(tip.id)
      storage.store(tour.id, { state: 'under_way', step: tip.id, at: new Date().toISOString() })
      record('view')
      record('step_view', { step_id: tip.id })
    },
    passed(tip) {
      record('start')
      record('step_complete', { step_id: tip.id, ...durationSince(shownAt) })
    },
    skipped: () => undefined,
    leaving(index) {
      storeStep(tour.tips[index]?.id ?? play.step)
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
