/** Something that must not take longer than it was given. Its fields are written and read by the deadlines alone. */
export interface Timed {
  dueTick: number
  /** Where it stands among all others; -1 when it does not. */
  place: number
  timeIsUp(): void
}

const usualTickMs = 50

/**
 * One clock for all that has a time limit. Each request would need several timers, and set them anew at every byte; here that
 * is the writing of a number. Nobody's time is up too early, and nobody's later than two ticks after it was.
 */
export class Deadlines implements Disposable {
  readonly #tickMs: number
  /** Not a set: what was in one long enough drags whole requests, long done, into the memory that is seldom cleaned. */
  readonly #timed: Timed[] = []
  #tick = 0
  #clock: NodeJS.Timeout | undefined

  constructor({ tickMs = usualTickMs }: { readonly tickMs?: number } = {}) {
    this.#tickMs = tickMs
  }

  /** Gives it this much time from now on. */
  start(timed: Timed, limitMs: number): void {
    if (timed.place === -1) timed.place = this.#timed.push(timed) - 1
    this.restart(timed, limitMs)
    this.#clock ??= setInterval(() => this.#onTick(), this.#tickMs).unref()
  }

  /** The same for what has been started. */
  restart(timed: Timed, limitMs: number): void {
    // Ticks are counted and not read from a clock, so that no time passes for anybody while this process stands still.
    // The tick that is under way may end at once, hence one more.
    timed.dueTick = this.#tick + Math.ceil(limitMs / this.#tickMs) + 1
  }

  stop(timed: Timed): void {
    const { place } = timed
    if (place === -1) return
    timed.place = -1
    const last = this.#timed.pop()
    if (last === undefined || last === timed) return
    this.#timed[place] = last
    last.place = place
  }

  [Symbol.dispose](): void {
    clearInterval(this.#clock)
    this.#clock = undefined
    for (const timed of this.#timed.splice(0)) timed.place = -1
  }

  #onTick(): void {
    this.#tick += 1
    const due = this.#timed.filter(({ dueTick }) => dueTick <= this.#tick)
    for (const timed of due) {
      // One whose time is up may be the end of another.
      if (timed.place === -1 || timed.dueTick > this.#tick) continue
      this.stop(timed)
      timed.timeIsUp()
    }
    if (this.#timed.length > 0) return
    clearInterval(this.#clock)
    this.#clock = undefined
  }
}
