import type { Deadlines, Timed } from './deadlines.ts'
import { cutOff, type FailedAttempt, failedStatus } from './failed-attempt.ts'
import { findPage, Progress } from './response-content.ts'
import { StreamEnd } from './stream-end.ts'
import type { CallListener, NodeCall } from './wire/node-call.ts'
import type { NodeRoute, RouteRequest } from './wire/node-route.ts'
import type { ResponseHead } from './wire/response-head.ts'

/** The callbacks of an attempt to its exchange. */
export interface AttemptEvents {
  /** The complete response; no other callback follows. */
  whole(head: ResponseHead, body: Buffer): void
  /** The first bytes of a response arrived; `data` and `end` follow. */
  begin(head: ResponseHead): void
  /** The bytes are valid during the call. */
  data(chunk: Buffer): void
  end(): void
  /** No other callback follows. */
  failed(failure: FailedAttempt): void
}

export interface AttemptRules {
  readonly deadlines: Deadlines
  readonly firstByteMs: number
  readonly stallMs: number
}

/** Responses with a length are buffered up to this size: if the node fails halfway, the request can be retried on another node. */
const maxHeldBytes = 64 * 1024
const failingStatuses = new Set([500, 502, 503, 504, 508])

/**
 * One request to one node.
 *
 * | state     | on                             | next                                                    |
 * |-----------|--------------------------------|---------------------------------------------------------|
 * | asking    | head of a complete response    | holding                                                 |
 * | asking    | head of any other response     | waiting for its first byte                              |
 * | holding   | the end                        | over: `whole`, or `failed` for an error status            |
 * | holding   | more than can be held          | streaming: `begin`, `data`; over for an error status    |
 * | waiting   | first byte                     | streaming: `begin`, `data`                              |
 * | waiting   | the end                        | over: `whole`, without a body; `failed` for a stream    |
 * | streaming | bytes                          | streaming: `data`                                       |
 * | streaming | the end                        | over: `end`; `failed` before the last event of a stream |
 * | any       | a page of HTML                 | over: `failed`                                          |
 * | any       | broken connection, time is up  | over: `failed`                                          |
 * | any       | `cancel`                       | over; the closed connection cancels the node's work     |
 */
export class Attempt implements CallListener, Timed {
  dueTick = 0
  index = -1
  readonly #events: AttemptEvents
  readonly #rules: AttemptRules
  readonly #call: NodeCall
  readonly #path: string
  #state: 'asking' | 'holding' | 'waiting' | 'streaming' | 'over' = 'asking'
  #head: ResponseHead | undefined
  #progress: Progress | undefined
  #streamEnd: StreamEnd | undefined
  #held: Buffer[] = []
  #heldBytes = 0
  #hasBytes = false
  #isPaused = false

  constructor(route: NodeRoute, request: RouteRequest, rules: AttemptRules, events: AttemptEvents) {
    this.#events = events
    this.#rules = rules
    this.#path = request.path
    this.#call = route.call(request, this)
  }

  /** Separate from the constructor, because events may arrive before it returns. */
  start(): void {
    const { deadlines, firstByteMs } = this.#rules
    deadlines.start(this, firstByteMs)
    this.#call.start()
  }

  /** Backpressure of the receiver. The deadline stops meanwhile: it measures the node, not the receiver. */
  pause(): void {
    if (this.#state === 'over') return
    this.#isPaused = true
    this.#call.pause()
    this.#rules.deadlines.stop(this)
  }

  resume(): void {
    if (this.#state === 'over' || !this.#isPaused) return
    this.#isPaused = false
    this.#rules.deadlines.start(this, this.#rules.stallMs)
    this.#call.resume()
  }

  cancel(): void {
    if (this.#over()) this.#call.abort()
  }

  head(head: ResponseHead): void {
    const page = findPage(head)
    if (page !== undefined) {
      this.#refuse(page)
      return
    }
    this.#head = head
    this.#progress = new Progress(head)
    this.#streamEnd = StreamEnd.of(this.#path, head)
    this.#state = isInOnePiece(head) || failingStatuses.has(head.status) ? 'holding' : 'waiting'
  }

  data(bytes: Buffer): void {
    const isFirst = !this.#hasBytes
    this.#hasBytes = true
    if (this.#progress?.isMadeBy(bytes) === true || isFirst) this.#restartClock()
    this.#streamEnd?.add(bytes)
    if (this.#state === 'streaming') {
      this.#events.data(bytes)
      return
    }
    const page = isFirst && this.#head !== undefined ? findPage(this.#head, bytes) : undefined
    if (page !== undefined) {
      this.#refuse(page)
      return
    }
    if (this.#state === 'waiting') {
      this.#begin()
      this.#events.data(bytes)
      return
    }
    this.#held.push(Buffer.from(bytes))
    this.#heldBytes += bytes.length
    if (this.#heldBytes > maxHeldBytes) this.#holdNoMore()
  }

  end(): void {
    if (this.#streamEnd?.isReached === false) {
      this.failed(cutOff)
    } else if (this.#state === 'streaming') {
      if (this.#over()) this.#events.end()
    } else {
      this.#conclude()
    }
  }

  failed(failure: FailedAttempt): void {
    if (this.#over()) this.#events.failed(failure)
  }

  timeIsUp(): void {
    if (!this.#over()) return
    this.#call.abort()
    const { firstByteMs, stallMs } = this.#rules
    this.#events.failed(
      this.#hasBytes
        ? { kind: 'stalled', reason: `made no progress within ${stallMs / 1000} s` }
        : { kind: 'late', reason: `did not begin its answer within ${firstByteMs / 1000} s` },
    )
  }

  #begin(): void {
    if (this.#head === undefined) return
    this.#state = 'streaming'
    this.#events.begin(this.#head)
    for (const chunk of this.#held) this.#events.data(chunk)
    this.#held = []
  }

  #holdNoMore(): void {
    if (!failingStatuses.has(this.#head?.status ?? 0)) {
      this.#begin()
      return
    }
    this.#call.abort()
    this.#conclude()
  }

  #refuse(failure: FailedAttempt): void {
    if (!this.#over()) return
    this.#call.abort()
    this.#events.failed(failure)
  }

  #conclude(): void {
    const head = this.#head
    if (head === undefined || !this.#over()) return
    const [only, more] = this.#held
    const body = only !== undefined && more === undefined ? only : Buffer.concat(this.#held)
    if (failingStatuses.has(head.status)) this.#events.failed(failedStatus(head.status, body))
    else this.#events.whole(head, body)
  }

  #restartClock(): void {
    this.#rules.deadlines.restart(this, this.#rules.stallMs)
  }

  /** Returns false if the attempt had already ended. */
  #over(): boolean {
    if (this.#state === 'over') return false
    this.#state = 'over'
    this.#rules.deadlines.stop(this)
    return true
  }
}

/** Runtimes send long responses without a length, but JSON that is not line-delimited is one piece anyway. */
function isInOnePiece({ type, length }: ResponseHead): boolean {
  if (length !== undefined) return length <= maxHeldBytes
  return type.startsWith('application/json')
}
