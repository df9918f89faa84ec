import { type Indexed, IndexedList } from './indexed-list.ts'

/** An operation with a time limit. `dueTick` and `index` belong to `Deadlines`. */
export interface Timed extends Indexed {
  dueTick: number
  timeIsUp(): void
}

const usualTickMs = 50

/**
 * One interval timer for all time limits. Each request would need several timers and reset them at every byte; here a reset writes one
 * number. No limit ends early, and none later than two ticks after its time.
 */
export class Deadlines implements Disposable {
  readonly #tickMs: number
  readonly #timed = new IndexedList<Timed>()
  #tick = 0
  #clock: NodeJS.Timeout | undefined

  constructor({ tickMs = usualTickMs }: { readonly tickMs?: number } = {}) {
    this.#tickMs = tickMs
  }

  /** Starts the limit. */
  start(timed: Timed, limitMs: number): void {
    this.#timed.add(timed)
    this.restart(timed, limitMs)
    this.#clock ??= setInterval(() => this.#onTick(), this.#tickMs).unref()
  }

  /** Resets the limit of a started operation. */
  restart(timed: Timed, limitMs: number): void {
    // Ticks are counted and not read from a clock, so that no limit ends because this process was suspended.
    // The current tick may end at once, hence one more.
    timed.dueTick = this.#tick + Math.ceil(limitMs / this.#tickMs) + 1
  }

  stop(timed: Timed): void {
    this.#timed.delete(timed)
  }

  [Symbol.dispose](): void {
    clearInterval(this.#clock)
    this.#clock = undefined
    this.#timed.clear()
  }

  #onTick(): void {
    this.#tick += 1
    const due = this.#timed.filter(({ dueTick }) => dueTick <= this.#tick)
    for (const timed of due) {
      // A callback may have stopped another operation of the list.
      if (timed.index === -1 || timed.dueTick > this.#tick) continue
      this.stop(timed)
      timed.timeIsUp()
    }
    if (this.#timed.size > 0) return
    clearInterval(this.#clock)
    this.#clock = undefined
  }
}
