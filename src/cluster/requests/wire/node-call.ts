import { type FailedAttempt, failedConnection } from '../failed-attempt.ts'
import { ChunkReader } from './chunk-reader.ts'
import { endOfHead } from './fields.ts'
import type { ConnectionUser, NodeConnection } from './node-connection.ts'
import { InvalidResponse, maxHeadBytes, type ResponseHead, readHead } from './response-head.ts'

/** Receives a parsed response. Calls come in the order head, data…, end. */
interface ResponseListener {
  head(head: ResponseHead): void
  /** The bytes are valid during the call: a listener that keeps them makes a copy. */
  data(bytes: Buffer): void
  end(): void
}

const beginning = 'HTTP/1.'
/** A single line feed or carriage return does not end a header line. */
const bareLineEnd = /(?:^|[^\r])\n|\r[^\n]/

/**
 * Parses one response from the bytes of a connection, which may be split anywhere.
 *
 * | state  | on                                       | next                                            |
 * |--------|------------------------------------------|-------------------------------------------------|
 * | head   | the empty line of a status below 200     | head: an interim response                       |
 * | head   | the empty line of any other              | length, chunks or close, as the head says       |
 * | length | as many bytes as announced               | over: `end`                                     |
 * | chunks | the last of them                         | over: `end`                                     |
 * | close  | the connection is closed properly        | over: `end`                                     |
 * | any    | `stop`                                   | over                                            |
 *
 * Any other input throws `InvalidResponse`.
 */
export class ResponseReader {
  /** At least one byte has arrived. */
  hasBegun = false
  /** After the end: how long the connection can be kept. 0 if bytes followed the response. */
  keepMs = 0
  readonly #listener: ResponseListener
  #state: 'head' | 'length' | 'chunks' | 'close' | 'over' = 'head'
  #pending: Buffer | undefined
  #left = 0
  #chunks: ChunkReader | undefined

  constructor(listener: ResponseListener) {
    this.#listener = listener
  }

  /** The reader changes the bytes, and keeps none of them. */
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

  /** The node closed the connection properly. Returns whether that completed the response. */
  close(): boolean {
    if (this.#state !== 'close') return false
    this.#end()
    return true
  }

  stop(): void {
    this.#state = 'over'
  }

  /** Returns the start of the body. */
  #readHeads(all: Buffer): number {
    let at = 0
    while (this.#state === 'head') {
      const text = all.toString('latin1', at, at + maxHeadBytes)
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
      throw new InvalidResponse('it does not begin with a status line')
    }
    if (bareLineEnd.test(text)) throw new InvalidResponse('it has lines that end in an unusual way')
    if (text.includes('\0')) throw new InvalidResponse('it has control characters in a header')
    if (rest.length >= maxHeadBytes) throw new InvalidResponse('its head is larger than 16 KiB')
    this.#pending = Buffer.from(rest)
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

  /** Bytes after the response were not requested: the connection can no longer be trusted. */
  #endBefore(more: number): void {
    if (more > 0) this.keepMs = 0
    this.#end()
  }

  #end(): void {
    this.#state = 'over'
    this.#listener.end()
  }
}

/** The owner of the call. Calls come in the order head, data…, end; `failed` can come instead of any of them, and is the last. */
export interface CallListener extends ResponseListener {
  failed(failure: FailedAttempt): void
}

/** The pool of connections. */
export interface ConnectionSource {
  /** An open connection. */
  takeKept(): NodeConnection | undefined
  /** Undefined when the route is closed. */
  open(): NodeConnection | undefined
  giveBack(connection: NodeConnection, keepMs: number): void
}

interface NodeRequest {
  readonly head: string
  readonly body: Buffer
}

/**
 * One request to a node and its response.
 *
 * | state     | on                                                  | next                                    |
 * |-----------|-----------------------------------------------------|-----------------------------------------|
 * | asking    | a kept connection is closed without one byte        | asking, over a new one                  |
 * | asking    | a new connection is closed or cannot be made        | over: `failed`                          |
 * | asking    | bytes                                               | answering                               |
 * | answering | the end                                             | over: `end`; the connection may be kept |
 * | answering | closed too early, or the input is not HTTP          | over: `failed`                          |
 * | any       | `abort`                                             | over, and the connection is closed      |
 *
 * When a node closes the connection, it is unknown whether it processes the request. A kept connection that was closed
 * without a byte was most likely closed before the request arrived, so only then the request is sent again.
 */
export class NodeCall implements ConnectionUser, ResponseListener {
  readonly #source: ConnectionSource
  readonly #request: NodeRequest
  readonly #listener: CallListener
  readonly #reader: ResponseReader
  #connection: NodeConnection | undefined

  constructor(source: ConnectionSource, request: NodeRequest, listener: CallListener) {
    this.#source = source
    this.#request = request
    this.#listener = listener
    this.#reader = new ResponseReader(this)
  }

  /** Separate from the constructor, because events may arrive before it returns. */
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
      if (!(error instanceof InvalidResponse)) throw error
      this.abort()
      this.#listener.failed({
        kind: 'invalid',
        reason: `failed: the response is not valid HTTP: ${error.message}`,
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

  head(head: Parameters<ResponseListener['head']>[0]): void {
    this.#listener.head(head)
  }

  data(bytes: Buffer): void {
    this.#listener.data(bytes)
  }

  end(): void {
    const connection = this.#connection
    this.#connection = undefined
    if (connection !== undefined) {
      // A node that responds early may still wait for the rest of the request.
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
  reason: 'failed: the connection was closed before the response was complete',
}

const stopping: FailedAttempt = { kind: 'closed', reason: 'failed: no more connections are made' }

/** Other errors, such as an unreachable network, do not show when the node closed the connection. */
function isClosing(error: Error | undefined): boolean {
  return error === undefined || ('code' in error && (error.code === 'ECONNRESET' || error.code === 'EPIPE'))
}
