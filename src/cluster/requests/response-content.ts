import type { FailedAttempt } from './failed-attempt.ts'
import type { ResponseHead } from './wire/response-head.ts'

/** The framing of a stream: lines, or events that end with an empty line. */
export type StreamFraming = 'line' | 'event'

/** The framing of a streamed response; undefined when it is not a stream, or its framing is unknown. */
export function framingOf({ type, length, isEncoded }: ResponseHead): StreamFraming | undefined {
  if (length !== undefined || isEncoded) return undefined
  if (type.startsWith('application/x-ndjson')) return 'line'
  return type.startsWith('text/event-stream') ? 'event' : undefined
}

const lineFeed = 0x0a
const progressBytes = 1024

/**
 * Tells whether a response makes progress: a stream with each line, any other response with each KiB. A node that sends single
 * bytes keeps its connection alive, but not its request.
 */
export class Progress {
  readonly #inLines: boolean
  #bytes = 0

  constructor(head: ResponseHead) {
    this.#inLines = framingOf(head) !== undefined
  }

  isMadeBy(chunk: Buffer): boolean {
    if (this.#inLines) return chunk.includes(lineFeed)
    this.#bytes += chunk.length
    if (this.#bytes < progressBytes) return false
    this.#bytes = 0
    return true
  }
}

const page: FailedAttempt = { kind: 'invalid', reason: 'answered with a page of HTML' }
const lessThan = 0x3c
const machineReadable = /^(?:$|application\/(?:x-ndjson|json)|text\/event-stream)/

/**
 * A login page or the start page of another server, which no model path returns. `begin` is the first chunk of the body; undefined
 * while only the head is known.
 */
export function findPage({ status, type }: ResponseHead, begin?: Buffer): FailedAttempt | undefined {
  if (status >= 400) return undefined
  if (type.startsWith('text/html')) return page
  return begin?.[0] === lessThan && machineReadable.test(type) ? page : undefined
}
