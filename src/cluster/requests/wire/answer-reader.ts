import { type AnswerHead, largestHeadBytes, readHead } from './answer-head.ts'
import { ChunkReader } from './chunk-reader.ts'
import { InvalidAnswer } from './invalid-answer.ts'

/** Who reads an answer. Calls come in the order head, data…, end. */
export interface AnswerListener {
  head(head: AnswerHead): void
  data(bytes: Buffer): void
  end(): void
}

const beginning = 'HTTP/1.'
const endOfHead = '\r\n\r\n'
/** A line feed by itself, or a carriage return by itself: no line of a head ends so. */
const bareLineEnd = /(?:^|[^\r])\n|\r[^\n]/

/**
 * Reads one answer from the bytes of a connection, which may be cut anywhere.
 *
 * | state  | on                                       | next                                            |
 * |--------|------------------------------------------|-------------------------------------------------|
 * | head   | the empty line of a status below 200     | head: that was not the answer                   |
 * | head   | the empty line of any other              | length, chunks or close, as the head says       |
 * | length | as many bytes as were told               | over: `end`                                     |
 * | chunks | the last of them                         | over: `end`                                     |
 * | close  | the connection is closed in good order   | over: `end`                                     |
 * | any    | `stop`                                   | over                                            |
 *
 * Whatever else comes throws `InvalidAnswer`.
 */
export class AnswerReader {
  /** At least one byte has come. */
  hasBegun = false
  /** Once it is over: for how long the connection can be kept. Nothing when more came than the answer. */
  keepMs = 0
  readonly #listener: AnswerListener
  #state: 'head' | 'length' | 'chunks' | 'close' | 'over' = 'head'
  #pending: Buffer | undefined
  #left = 0
  #chunks: ChunkReader | undefined

  constructor(listener: AnswerListener) {
    this.#listener = listener
  }

  /** The bytes are the reader's from now on. */
  read(bytes: Buffer): void {
    this.hasBegun = true
    let all = bytes
    let at = 0
    if (this.#state === 'head') {
      if (this.#pending !== undefined) all = Buffer.concat([this.#pending, bytes])
      at = this.#readHeads(all)
    }
    switch (this.#state) {
      case 'length':
        this.#readLength(all, at)
        return
      case 'chunks':
        this.#readChunks(all, at)
        return
      case 'close':
        if (at < all.length) this.#listener.data(all.subarray(at))
        return
      default:
    }
  }

  /** The node closed the connection in good order. Answers whether that was the end of the answer. */
  close(): boolean {
    if (this.#state !== 'close') return false
    this.#end()
    return true
  }

  stop(): void {
    this.#state = 'over'
  }

  /** Answers where the body begins. */
  #readHeads(all: Buffer): number {
    let at = 0
    while (this.#state === 'head') {
      const text = all.toString('latin1', at, at + largestHeadBytes)
      const length = text.indexOf(endOfHead)
      if (length === -1) {
        this.#wait(all.subarray(at), text)
        return all.length
      }
      const head = readHead(text.slice(0, length))
      at += length + endOfHead.length
      if (head.status < 200) continue
      this.#pending = undefined
      this.keepMs = head.keepMs
      this.#left = head.ending === 'length' ? (head.length ?? 0) : 0
      this.#state = head.ending === 'none' ? 'length' : head.ending
      this.#listener.head(head)
    }
    return at
  }

  #wait(rest: Buffer, text: string): void {
    if (!text.startsWith(beginning.slice(0, text.length))) {
      throw new InvalidAnswer('it does not begin with a status line')
    }
    if (bareLineEnd.test(text)) throw new InvalidAnswer('it has lines that end in an unusual way')
    if (text.includes('\0')) throw new InvalidAnswer('it has control characters in a header')
    if (rest.length >= largestHeadBytes) throw new InvalidAnswer('its head is larger than 16 KiB')
    this.#pending = rest
  }

  #readLength(all: Buffer, at: number): void {
    const until = Math.min(all.length, at + this.#left)
    this.#left -= until - at
    if (until > at) this.#listener.data(all.subarray(at, until))
    if (this.#state === 'over' || this.#left > 0) return
    this.#endBefore(all.length - until)
  }

  #readChunks(all: Buffer, at: number): void {
    this.#chunks ??= new ChunkReader()
    const body = this.#chunks.read(all, at)
    const { endedAt } = this.#chunks
    if (body.length > 0) this.#listener.data(body)
    if (this.#state === 'over' || endedAt === undefined) return
    this.#endBefore(all.length - endedAt)
  }

  /** What comes after the answer was asked for by nobody: who sent it cannot be believed the next time either. */
  #endBefore(more: number): void {
    if (more > 0) this.keepMs = 0
    this.#end()
  }

  #end(): void {
    this.#state = 'over'
    this.#listener.end()
  }
}
