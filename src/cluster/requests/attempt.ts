import type { IncomingHttpHeaders } from 'node:http'
import type { Dispatcher } from 'undici'
import { type FailedAttempt, failedConnection, failedStatus } from './failed-attempt.ts'

export interface AnswerHead {
  readonly status: number
  readonly headers: IncomingHttpHeaders
}

/** What one attempt tells the exchange it belongs to. */
export interface AttemptEvents {
  /** The whole answer at once; nothing else follows. */
  whole(head: AnswerHead, body: Buffer): void
  /** The first bytes of an answer are there: `data` and `end` follow. */
  begin(head: AnswerHead): void
  data(chunk: Buffer): void
  end(): void
  /** Nothing else follows. */
  failed(failure: FailedAttempt): void
}

export interface AttemptOptions {
  readonly dispatcher: Dispatcher
  readonly path: string
  readonly headers: string[]
  readonly body: Buffer
  readonly firstByteMs: number
  readonly stallMs: number
}

/** Answers in one piece are held up to this size: should the node die halfway, another can be asked. */
const largestHeldBytes = 64 * 1024
const failingStatuses = new Set([500, 502, 503, 504, 508])
const givenUp = new Error('given up')

/**
 * One request to one node.
 *
 * | state     | on                             | next                                                    |
 * |-----------|--------------------------------|---------------------------------------------------------|
 * | asking    | head of an answer in one piece | holding                                                 |
 * | asking    | head of any other answer       | waiting for its first byte                              |
 * | holding   | the end                        | over: `whole`, or `failed` for a status that is no answer |
 * | holding   | more than can be held          | streaming: `begin`, `data`; over, if it is no answer    |
 * | waiting   | first byte                     | streaming: `begin`, `data`                              |
 * | waiting   | the end                        | over: `whole`, without a body                           |
 * | streaming | bytes                          | streaming: `data`                                       |
 * | streaming | the end                        | over: `end`                                             |
 * | any       | broken connection, time is up  | over: `failed`                                          |
 * | any       | `cancel`                       | over, and the node is told by a closed connection       |
 */
export class Attempt implements Dispatcher.DispatchHandler {
  readonly #events: AttemptEvents
  readonly #options: AttemptOptions
  #controller: Dispatcher.DispatchController | undefined
  #timer: NodeJS.Timeout
  #state: 'asking' | 'holding' | 'waiting' | 'streaming' | 'over' = 'asking'
  #head: AnswerHead | undefined
  #held: Buffer[] = []
  #heldBytes = 0

  constructor(options: AttemptOptions, events: AttemptEvents) {
    this.#options = options
    this.#events = events
    this.#timer = setTimeout(() => this.#timeIsUp('late', options.firstByteMs), options.firstByteMs)
  }

  /** Apart from the making, because events may come before it returns. */
  start(): void {
    const { dispatcher, path, headers, body } = this.#options
    dispatcher.dispatch({ method: 'POST', path, headers, body }, this)
  }

  /** The receiver cannot take more for now. What it takes is not the node's time, so the clock stands. */
  pause(): void {
    if (this.#state === 'over') return
    this.#controller?.pause()
    clearTimeout(this.#timer)
  }

  resume(): void {
    if (this.#state === 'over') return
    this.#watchStall()
    this.#controller?.resume()
  }

  cancel(): void {
    if (this.#over()) this.#controller?.abort(givenUp)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#state === 'over') controller.abort(givenUp)
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: IncomingHttpHeaders,
  ): void {
    // Early hints and the like are not the answer.
    if (this.#state !== 'asking' || status < 200) return
    this.#head = { status, headers }
    this.#state = isInOnePiece(headers) || failingStatuses.has(status) ? 'holding' : 'waiting'
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    switch (this.#state) {
      case 'streaming':
        this.#timer.refresh()
        this.#events.data(chunk)
        return
      case 'waiting':
        this.#held.push(chunk)
        this.#begin()
        return
      case 'holding':
        if (this.#heldBytes === 0) this.#watchStall()
        else this.#timer.refresh()
        this.#held.push(chunk)
        this.#heldBytes += chunk.length
        if (this.#heldBytes > largestHeldBytes) this.#holdNoMore(controller)
        return
      default:
    }
  }

  onResponseEnd(): void {
    if (this.#state === 'streaming') {
      if (this.#over()) this.#events.end()
    } else {
      this.#conclude()
    }
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#over()) this.#events.failed(failedConnection(error))
  }

  #begin(): void {
    if (this.#head === undefined) return
    this.#state = 'streaming'
    this.#watchStall()
    this.#events.begin(this.#head)
    for (const chunk of this.#held) this.#events.data(chunk)
    this.#held = []
  }

  #holdNoMore(controller: Dispatcher.DispatchController): void {
    if (!failingStatuses.has(this.#head?.status ?? 0)) {
      this.#begin()
      return
    }
    this.#conclude()
    controller.abort(givenUp)
  }

  #conclude(): void {
    const head = this.#head
    if (head === undefined || !this.#over()) return
    const [only, more] = this.#held
    const body = only !== undefined && more === undefined ? only : Buffer.concat(this.#held)
    if (failingStatuses.has(head.status)) this.#events.failed(failedStatus(head.status, body))
    else this.#events.whole(head, body)
  }

  #watchStall(): void {
    clearTimeout(this.#timer)
    const { stallMs } = this.#options
    this.#timer = setTimeout(() => this.#timeIsUp('stalled', stallMs), stallMs)
  }

  #timeIsUp(kind: 'late' | 'stalled', ms: number): void {
    if (!this.#over()) return
    this.#controller?.abort(givenUp)
    const what = kind === 'late' ? 'did not begin its answer' : 'sent nothing more'
    this.#events.failed({ kind, reason: `${what} within ${ms / 1000} s` })
  }

  /** Answers whether it was not over before. */
  #over(): boolean {
    if (this.#state === 'over') return false
    this.#state = 'over'
    clearTimeout(this.#timer)
    return true
  }
}

/** Runtimes write long answers without telling their length, but JSON that is not made of lines is one piece anyway. */
function isInOnePiece(headers: IncomingHttpHeaders): boolean {
  const length = headers['content-length']
  if (length !== undefined) return Number(length) <= largestHeldBytes
  return headers['content-type']?.startsWith('application/json') === true
}
