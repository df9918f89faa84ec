import { ResponseTail } from './response-tail.ts'
import { readTokenCounts, type TokenCounts } from './token-counts.ts'

const lineBreak = 0x0a

/** Counts a response while it passes. Bytes and lines are counted for charged requests alone. */
export class ResponseCounts {
  readonly tail = new ResponseTail()
  readonly #isCharged: boolean
  bytes = 0
  lines = 0

  constructor({ isCharged }: { readonly isCharged: boolean }) {
    this.#isCharged = isCharged
  }

  add(chunk: Buffer): void {
    this.tail.add(chunk)
    if (!this.#isCharged) return
    this.bytes += chunk.length
    for (let at = chunk.indexOf(lineBreak); at !== -1; at = chunk.indexOf(lineBreak, at + 1)) this.lines += 1
  }

  /** The tokens of a response that has them at its end. */
  tokens(): TokenCounts | undefined {
    return readTokenCounts(this.tail.bytes(), this.tail.beginning())
  }
}
