import { matchesRoute } from '../../src/tours/player/match-route.ts'
import type { Memory } from './memory.ts'
import type { Places } from './places.ts'
import type { Platform } from './platform.ts'
import { createPlay, type Outcome, type Play } from './play.ts'
import type { PlayableTour } from './protocol.ts'
import { witnessRealPlay } from './real-play.ts'
import type { Reporter } from './reporter.ts'
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
