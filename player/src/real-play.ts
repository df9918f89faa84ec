import type { KeptPlay, Memory } from './memory.ts'
import type { Outcome, Witness } from './play.ts'
import type { PlayableTour } from './protocol.ts'
import type { Reporter, TourEvent } from './reporter.ts'

interface RealPlayOptions {
  readonly tour: PlayableTour
  readonly memory: Memory
  readonly reporter: Reporter
  readonly onEnd: (outcome: Outcome) => void
}

/** Counts and remembers what a visitor does, each thing once, also when the play goes on at another page. */
export function witnessRealPlay({ tour, memory, reporter, onEnd }: RealPlayOptions): Witness {
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
