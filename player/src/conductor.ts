import { matchesRoute } from '../../src/tours/player/match-route.ts'
import type { KeptPlay, Memory } from './memory.ts'
import type { Places } from './places.ts'
import type { Platform } from './platform.ts'
import { createPlay, type Outcome, type Play, type Witness } from './play.ts'
import type { PlayableTour } from './protocol.ts'
import type { Reporter, TourEvent } from './reporter.ts'
import type { Stage } from './stage/stage.ts'

interface ConductorOptions {
  readonly platform: Platform
  readonly places: Places
  readonly memory: Memory
  readonly stage: Stage
  readonly reporter: Reporter
}

/** A tour of the page and what the visitor did with it. */
interface ListedTour {
  readonly id: string
  readonly label: string
  readonly launch: PlayableTour['launch']
  readonly state: 'new' | 'under_way' | 'completed' | 'dismissed'
}

/** Decides which tour is shown: one at a time, and by itself only what the visitor has not seen. */
export interface Conductor {
  /** Goes on with the tab's play, else starts or offers a tour of this page. */
  readonly look: () => Promise<void>
  /** Starts a tour, seen before or not; without an id the first of this page. */
  readonly start: (id?: string) => Promise<boolean>
  readonly stop: () => void
  readonly list: () => Promise<readonly ListedTour[]>
  /** A builder took over: nothing starts by itself any more. */
  readonly retire: () => void
}

export function createConductor(options: ConductorOptions): Conductor {
  const { platform, places, memory, stage, reporter } = options
  let play: Play | undefined
  let looks = 0
  let retired = false
  /** Tours none of whose elements came on this page: another may have its turn. */
  const barren = new Set<string>()

  function openPlay(tour: PlayableTour): Play {
    play?.stop()
    const onEnd = (outcome: Outcome) => {
      play = undefined
      if (outcome !== 'empty') return
      barren.add(tour.id)
      void look()
    }
    const witness = witnessRealPlay({ tour, memory, reporter, onEnd })
    play = createPlay({ tour, stage, places, witness, anywhere: false })
    return play
  }

  async function look(): Promise<void> {
    if (retired) return
    looks += 1
    const mine = looks
    const isLate = () => mine !== looks || play !== undefined || retired
    const kept = memory.play()
    if (kept !== undefined) {
      const tour = await platform.tour(kept.tour)
      if (isLate()) return
      if (tour !== undefined) return openPlay(tour).resume(stepIndex(tour, kept.step))
    }
    const tours = await platform.toursAt(places.now())
    if (isLate()) return
    stage.clear()
    const tour = tours.find(mayShow)
    if (tour === undefined) return
    if (tour.launch === 'auto' && memory.of(tour.id) === undefined) openPlay(tour).begin(0)
    else invite(tour)
  }

  function mayShow(tour: PlayableTour): boolean {
    const state = memory.of(tour.id)?.state
    if (barren.has(tour.id)) return false
    if (tour.launch === 'manual' || state === 'completed' || state === 'dismissed') return false
    if (tour.launch === 'invite' || state === 'under_way') return true
    // A tour that begins elsewhere does not pull the visitor away by itself.
    const first = tour.tips[0]?.route
    return !first || matchesRoute(first, places.now())
  }

  function invite(tour: PlayableTour): void {
    const step = memory.of(tour.id)?.step
    stage.showNotice({
      title: tour.label,
      text:
        step === undefined
          ? `A tour of ${tour.tips.length === 1 ? 'one step' : `${tour.tips.length} steps`}.`
          : 'You left this tour before its end.',
      actions: [
        {
          label: step === undefined ? 'Take the tour' : 'Go on',
          run: () => openPlay(tour).begin(stepIndex(tour, step)),
        },
        {
          label: 'No, thanks',
          run() {
            memory.remember(tour.id, { state: 'dismissed', at: new Date().toISOString() })
            stage.clear()
          },
        },
      ],
    })
  }

  places.onChange(() => {
    barren.clear()
    if (play !== undefined) play.placeChanged()
    else void look()
  })

  return {
    look,
    async start(id) {
      const tour = id === undefined ? (await platform.toursAt(places.now()))[0] : await platform.tour(id)
      if (tour === undefined) return false
      looks += 1
      play?.stop()
      memory.keepPlay(undefined)
      openPlay(tour).begin(0)
      return true
    },
    stop() {
      looks += 1
      play?.stop()
      stage.clear()
    },
    async list() {
      const tours = await platform.toursAt(places.now())
      return tours.map(({ id, label, launch }) => ({
        id,
        label,
        launch,
        state: memory.of(id)?.state ?? 'new',
      }))
    },
    retire() {
      retired = true
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

interface RealPlayOptions {
  readonly tour: PlayableTour
  readonly memory: Memory
  readonly reporter: Reporter
  readonly onEnd: (outcome: Outcome) => void
}

/** Counts and remembers what a visitor does, each thing once, also when the play goes on at another page. */
function witnessRealPlay({ tour, memory, reporter, onEnd }: RealPlayOptions): Witness {
  const kept = memory.play()
  let play: KeptPlay =
    kept?.tour === tour.id
      ? kept
      : { tour: tour.id, play: newId(), step: tour.tips[0]?.id ?? '', startedAt: Date.now(), told: [] }
  let shownAt = Date.now()

  function keep(step: string): void {
    play = { ...play, step }
    memory.keepPlay(play)
  }

  function tell(event: TourEvent['event'], details: Pick<TourEvent, 'step_id' | 'duration'> = {}): void {
    const once = `${event} ${details.step_id ?? ''}`
    if (play.told.includes(once)) return
    play = { ...play, told: [...play.told, once] }
    memory.keepPlay(play)
    reporter.add(tour.id, { event, play: play.play, at: new Date().toISOString(), ...details })
  }

  function end(outcome: Outcome): void {
    const state = outcome === 'completed' || outcome === 'dismissed' ? outcome : undefined
    if (state !== undefined) {
      memory.remember(tour.id, { state, step: play.step, at: new Date().toISOString() })
      tell(state === 'completed' ? 'complete' : 'dismiss', lasting(play.startedAt))
    }
    memory.keepPlay(undefined)
    reporter.flush()
    onEnd(outcome)
  }

  return {
    shown(tip) {
      shownAt = Date.now()
      keep(tip.id)
      memory.remember(tour.id, { state: 'under_way', step: tip.id, at: new Date().toISOString() })
      tell('view')
      tell('step_view', { step_id: tip.id })
    },
    passed(tip) {
      tell('start')
      tell('step_complete', { step_id: tip.id, ...lasting(shownAt) })
    },
    skipped: () => undefined,
    leaving(index) {
      keep(tour.tips[index]?.id ?? play.step)
      reporter.flush()
    },
    ended: end,
  }
}

const daySeconds = 86_400

/** How long it took since a moment. After a day a tab was left open, and the platform would take none of it. */
function lasting(since: number): Pick<TourEvent, 'duration'> {
  const duration = Math.max(0, Date.now() - since) / 1_000
  return duration > daySeconds ? {} : { duration }
}

/** A page without TLS has no `randomUUID`. */
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
