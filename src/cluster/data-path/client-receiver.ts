import type { Failure } from '#kernel/errors'
import { headersForCaller } from '../requests/passed-headers.ts'
import { framingOf, type StreamFraming } from '../requests/response-content.ts'
import type { ResponseHead } from '../requests/wire/response-head.ts'
import type { Receiver, ResponseRouting } from '../requests/work.ts'
import type { DataResponse } from './data-exchange.ts'
import { type ErrorFormat, sendFailure } from './error-formats.ts'

export interface ClientReceiverOptions {
  readonly response: DataResponse
  readonly requestId: string
  readonly errorFormat: ErrorFormat
  /** The caller is ready for more data. */
  readonly onDrain: () => void
  /** The response failed or was cut off. */
  readonly onFailure: (failure: Failure) => void
}

/** Names the nodes that continued the stream. */
const continuedTrailer = 'X-Cluster-Continued'

/** Streams a response to the caller unchanged. */
export function createClientReceiver(options: ClientReceiverOptions): Receiver {
  const { response, requestId, errorFormat, onDrain, onFailure } = options
  let pieces: WholePieces | undefined
  let kind: StreamFraming | undefined
  let lastPassed: Buffer | undefined
  const continuedOn: string[] = []

  function ownHeaders({ node, attempts, position }: ResponseRouting): string[] {
    const own = ['x-request-id', requestId, 'x-cluster-node', node.id]
    if (attempts > 1) own.push('x-cluster-attempts', String(attempts))
    if (position > 0) own.push('x-queue-position', String(position))
    return own
  }

  return {
    whole(head, body, routing) {
      const own = ownHeaders(routing)
      if (head.length === undefined && mayHaveLength(head)) own.push('content-length', String(body.length))
      response.send(head.status, headersForCaller(head, own), body)
    },
    begin(head, routing) {
      kind = framingOf(head)
      if (kind !== undefined) pieces = new WholePieces(kind)
      const own = ownHeaders(routing)
      if (routing.mayContinue) own.push('trailer', continuedTrailer)
      response.begin(head.status, headersForCaller(head, own))
      response.onDrain(onDrain)
    },
    data(chunk) {
      const passed = pieces === undefined ? chunk : pieces.take(chunk)
      if (passed === undefined) return true
      if (errorFormat.isNumbered === true) lastPassed = Buffer.from(passed)
      return response.write(passed)
    },
    continued: ({ id }) => void continuedOn.push(id),
    end() {
      const trailers = continuedOn.length > 0 ? [continuedTrailer, continuedOn.join(', ')] : []
      response.end(pieces?.rest(), trailers)
    },
    breakOff(failure) {
      onFailure(failure)
      // A response without lines cannot carry an error: the early end is the only signal.
      if (kind === undefined) {
        response.destroy()
        return
      }
      const isWhole = pieces?.isWhole ?? true
      const last =
        kind === 'line'
          ? `${isWhole ? '' : '\n'}${errorFormat.body(failure)}\n`
          : `${isWhole ? '' : '\n\n'}${errorFormat.event(failure, lastPassed)}`
      response.end(last, [])
    },
    fail(failure) {
      onFailure(failure)
      sendFailure(response, failure, { requestId, errorFormat })
    },
  }
}

/** 204 and 304 have no body and no length. */
function mayHaveLength({ status }: ResponseHead): boolean {
  return status !== 204 && status !== 304
}

/** Longer lines or events are sent in parts. */
const maxHeldBytes = 64 * 1024
const newline = 0x0a
const carriageReturn = 0x0d
/** So much more than needed is allocated for an incomplete line or event, so that the next ones fit. */
const spareBytes = 512
/** Lines are joined here: they are forwarded before the next chunk of any stream. */
const joinBuffer = Buffer.allocUnsafeSlow(2 * maxHeldBytes)

/**
 * Forwards complete lines or events and buffers an incomplete one. If the node fails, the caller has only complete ones,
 * and the error that follows is not appended to a fragment.
 */
export class WholePieces {
  readonly #kind: StreamFraming
  /** The incomplete line or event, at the start of a buffer that is reused. */
  #held: Buffer | undefined
  #buffer: Buffer | undefined
  #isWhole = true

  constructor(kind: StreamFraming) {
    this.#kind = kind
  }

  /** Whether only complete lines or events were forwarded so far. */
  get isWhole(): boolean {
    return this.#isWhole
  }

  /** The data that can be forwarded now, valid until the next call for any stream; undefined without any. */
  take(chunk: Buffer): Buffer | undefined {
    const all = this.#held === undefined ? chunk : join(this.#held, chunk)
    const end = this.#endOfLast(all)
    if (end === 0 && all.length > maxHeldBytes) {
      this.#held = undefined
      this.#isWhole = false
      return all
    }
    this.#hold(all, end)
    if (end === 0) return undefined
    this.#isWhole = true
    return end === all.length ? all : all.subarray(0, end)
  }

  /** The buffered incomplete line or event. */
  rest(): Buffer | undefined {
    return this.#held
  }

  #hold(all: Buffer, from: number): void {
    const length = all.length - from
    if (length === 0) {
      this.#held = undefined
      return
    }
    // A stream of long lines would otherwise leave a copy for each of them.
    if (this.#buffer === undefined || this.#buffer.length < length)
      this.#buffer = Buffer.allocUnsafe(length + spareBytes)
    all.copy(this.#buffer, 0, from)
    this.#held = this.#buffer.subarray(0, length)
  }

  /** The end of the last complete line or event. */
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

function join(held: Buffer, chunk: Buffer): Buffer {
  const length = held.length + chunk.length
  if (length > joinBuffer.length) return Buffer.concat([held, chunk])
  held.copy(joinBuffer)
  chunk.copy(joinBuffer, held.length)
  return joinBuffer.subarray(0, length)
}

/** Whether the line that ends here is empty. */
function endsEvent(bytes: Buffer, at: number): boolean {
  const before = bytes[at - 1]
  return before === newline || (before === carriageReturn && bytes[at - 2] === newline)
}
