import { type FailedAttempt, failedConnection } from '../failed-attempt.ts'
import { type AnswerListener, AnswerReader } from './answer-reader.ts'
import { InvalidAnswer } from './invalid-answer.ts'
import type { ConnectionUser, NodeConnection } from './node-connection.ts'

/** Who asked. Calls come in the order head, data…, end; `failed` can come instead of any of them, and is the last. */
export interface CallListener extends AnswerListener {
  failed(failure: FailedAttempt): void
}

/** Where connections come from and go to. */
export interface ConnectionSource {
  /** One that is open already. */
  takeKept(): NodeConnection | undefined
  /** Undefined when no more connections are made. */
  open(): NodeConnection | undefined
  giveBack(connection: NodeConnection, keepMs: number): void
}

interface NodeRequest {
  readonly head: string
  readonly body: Buffer
}

/**
 * One request to a node and its answer.
 *
 * | state     | on                                                  | next                                    |
 * |-----------|-----------------------------------------------------|-----------------------------------------|
 * | asking    | a kept connection is closed without one byte        | asking, over a new one                  |
 * | asking    | a new connection is closed or cannot be made        | over: `failed`                          |
 * | asking    | bytes                                               | answering                               |
 * | answering | the end                                             | over: `end`; the connection may be kept |
 * | answering | closed too early, or what comes is not HTTP         | over: `failed`                          |
 * | any       | `abort`                                             | over, and the connection is closed      |
 *
 * Nobody knows whether a node works on what it was sent when it closes the connection. Only a kept one that was closed
 * without a byte is most likely one the node had closed before the request reached it, so only then it is sent again.
 */
export class NodeCall implements ConnectionUser, AnswerListener {
  readonly #source: ConnectionSource
  readonly #request: NodeRequest
  readonly #listener: CallListener
  readonly #reader: AnswerReader
  #connection: NodeConnection | undefined

  constructor(source: ConnectionSource, request: NodeRequest, listener: CallListener) {
    this.#source = source
    this.#request = request
    this.#listener = listener
    this.#reader = new AnswerReader(this)
  }

  /** Apart from the making, because events may come before it returns. */
  start(): void {
    this.#ask(this.#source.takeKept() ?? this.#source.open())
  }

  pause(): void {
    this.#connection?.pause()
  }

  resume(): void {
    this.#connection?.resume()
  }

  abort(): void {
    this.#reader.stop()
    const connection = this.#connection
    this.#connection = undefined
    connection?.destroy()
  }

  received(bytes: Buffer): void {
    try {
      this.#reader.read(bytes)
    } catch (error) {
      if (!(error instanceof InvalidAnswer)) throw error
      this.abort()
      this.#listener.failed({
        kind: 'closed',
        reason: `failed: the answer is not valid HTTP: ${error.message}`,
      })
    }
  }

  closed(error: Error | undefined): void {
    const wasKept = this.#connection?.wasKept === true
    this.#connection = undefined
    if (wasKept && !this.#reader.hasBegun && isClosing(error)) {
      this.#ask(this.#source.open())
      return
    }
    if (error === undefined && this.#reader.close()) return
    this.#reader.stop()
    this.#listener.failed(error === undefined ? closedTooEarly : failedConnection(error))
  }

  head(head: Parameters<AnswerListener['head']>[0]): void {
    this.#listener.head(head)
  }

  data(bytes: Buffer): void {
    this.#listener.data(bytes)
  }

  end(): void {
    const connection = this.#connection
    this.#connection = undefined
    if (connection !== undefined) {
      // A node that answers before it has the whole request may still be waiting for the rest.
      this.#source.giveBack(connection, connection.isDrained ? this.#reader.keepMs : 0)
    }
    this.#listener.end()
  }

  #ask(connection: NodeConnection | undefined): void {
    this.#connection = connection
    if (connection === undefined) this.#listener.failed(stopping)
    else connection.send(this, this.#request.head, this.#request.body)
  }
}

const closedTooEarly: FailedAttempt = {
  kind: 'closed',
  reason: 'failed: the connection was closed before the answer was complete',
}

const stopping: FailedAttempt = { kind: 'closed', reason: 'failed: no more connections are made' }

/** Other errors, such as a network that does not answer, say nothing of when the node closed the connection. */
function isClosing(error: Error | undefined): boolean {
  return error === undefined || ('code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE'))
}
