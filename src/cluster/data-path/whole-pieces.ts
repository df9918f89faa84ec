/** A piece that is longer than this passes in parts. */
const largestHeldBytes = 64 * 1024
const newline = 0x0a
const carriageReturn = 0x0d

/** What a stream is made of: lines, or events with an empty line behind each. */
export type PieceKind = 'line' | 'event'

/**
 * Lets a stream through piece by piece. Nobody can use half a line or event, so it waits for its other half; should the
 * node die before that comes, what the caller has is whole, and what is said last is not lost behind a fragment.
 */
export class WholePieces {
  readonly #kind: PieceKind
  #held: Buffer | undefined
  #isWhole = true

  constructor(kind: PieceKind) {
    this.#kind = kind
  }

  /** Whether all that was let through so far are whole pieces. */
  get isWhole(): boolean {
    return this.#isWhole
  }

  /** What can be let through now; undefined when that is nothing. */
  take(chunk: Buffer): Buffer | undefined {
    const all = this.#held === undefined ? chunk : Buffer.concat([this.#held, chunk])
    const end = this.#endOfLast(all)
    if (end === 0 && all.length > largestHeldBytes) {
      this.#held = undefined
      this.#isWhole = false
      return all
    }
    this.#held = end === all.length ? undefined : all.subarray(end)
    if (end === 0) return undefined
    this.#isWhole = true
    return end === all.length ? all : all.subarray(0, end)
  }

  /** What waits for its other half. */
  rest(): Buffer | undefined {
    return this.#held
  }

  /** Where the last whole piece ends. */
  #endOfLast(bytes: Buffer): number {
    let at = bytes.length - 1
    while (at >= 0) {
      at = bytes.lastIndexOf(newline, at)
      if (at === -1 || this.#kind === 'line' || endsEvent(bytes, at)) return at + 1
      at -= 1
    }
    return 0
  }
}

/** Whether the line that ends here is empty. */
function endsEvent(bytes: Buffer, at: number): boolean {
  const before = bytes[at - 1]
  return before === newline || (before === carriageReturn && bytes[at - 2] === newline)
}
