/** What a node reports about its load. */
export interface ReportedLoad {
  /** Requests that it processes at once; null when it does not say. */
  readonly slots: number | null
  /** Requests that it processes now, and that wait inside it; null when it does not say. */
  readonly running: number | null
  readonly waiting: number | null
}

/** A node with requests of its own queue processes as many as it can. This bound keeps a wrong report harmless. */
export const maxConcurrency = 100_000

/**
 * The concurrency limit of a node from its reports.
 *
 * | report                                      | limit                                                             |
 * |---------------------------------------------|-------------------------------------------------------------------|
 * | slots (llama.cpp, TGI)                      | that many at most                                                 |
 * | requests wait inside (vLLM, SGLang, TGI)    | as many as it processes: more would only wait there               |
 * | none wait inside                            | a quarter more than before, at least one                          |
 * | nothing                                     | none: the setting applies                                         |
 *
 * The setting applies as an upper bound in all cases.
 */
export class ConcurrencyLimit {
  #slots: number | null = null
  #saturatedAt: number | null = null

  /** Null without a limit. */
  get value(): number | null {
    if (this.#slots === null || this.#saturatedAt === null) return this.#slots ?? this.#saturatedAt
    return Math.min(this.#slots, this.#saturatedAt)
  }

  observe({ slots, running, waiting }: ReportedLoad): void {
    this.#slots = slots === null ? null : clamp(slots)
    if (running === null || waiting === null) this.#saturatedAt = null
    else if (waiting > 0) this.#saturatedAt = clamp(running)
    else if (this.#saturatedAt !== null) {
      this.#saturatedAt = clamp(this.#saturatedAt + Math.ceil(this.#saturatedAt / 4))
    }
  }
}

function clamp(value: number): number {
  return Math.min(maxConcurrency, Math.max(1, Math.floor(value)))
}
