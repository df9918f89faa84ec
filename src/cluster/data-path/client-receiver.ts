import type { ServerResponse } from 'node:http'
import type { Failure } from '#kernel/errors'
import type { Receiver, ResponseRouting } from '../requests/exchange.ts'
import { headersForCaller } from '../requests/passed-headers.ts'
import type { ResponseHead } from '../requests/wire/response-head.ts'
import { type ErrorFormat, sendFailure } from './error-formats.ts'

export interface ClientReceiverOptions {
  readonly response: ServerResponse
  readonly requestId: string
  readonly errorFormat: ErrorFormat
  /** A caller that reads nothing for this long counts as disconnected. */
  readonly maxIdleMs: number
  /** The caller is ready for more data. */
  readonly onDrain: () => void
  /** The response failed or was cut off. */
  readonly onFailure: (failure: Failure) => void
}

const maxTextBytes = 8192

/** Streams a response to the caller unchanged. */
export function createClientReceiver(options: ClientReceiverOptions): Receiver {
  const { response, requestId, errorFormat, maxIdleMs, onDrain, onFailure } = options
  let idle: NodeJS.Timeout | undefined
  let pieces: WholePieces | undefined
  let kind: PieceKind | undefined
  let lastPassed: Buffer | undefined

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
      response.writeHead(head.status, headersForCaller(head, own))
      // A string is sent in one packet with the head; a buffer would be a packet of its own. Latin 1 keeps every byte.
      if (body.length <= maxTextBytes) response.end(body.toString('latin1'), 'latin1')
      else response.end(body)
    },
    begin(head, routing) {
      kind = pieceKindOf(head)
      if (kind !== undefined) pieces = new WholePieces(kind)
      response.writeHead(head.status, headersForCaller(head, ownHeaders(routing)))
      response.on('close', () => clearTimeout(idle))
      response.on('drain', () => {
        clearTimeout(idle)
        onDrain()
      })
    },
    data(chunk) {
      const passed = pieces === undefined ? chunk : pieces.take(chunk)
      if (passed === undefined) return true
      lastPassed = passed
      if (response.write(passed)) return true
      clearTimeout(idle)
      idle = setTimeout(() => response.destroy(), maxIdleMs)
      return false
    },
    end: () => void response.end(pieces?.rest()),
    breakOff(failure) {
      onFailure(failure)
      // A response without lines cannot carry an error: the early end is the only signal.
      if (kind === undefined) {
        response.destroy()
        return
      }
      const isWhole = pieces?.isWhole ?? true
      if (kind === 'line') response.end(`${isWhole ? '' : '\n'}${errorFormat.body(failure)}\n`)
      else response.end(`${isWhole ? '' : '\n\n'}${errorFormat.event(failure, lastPassed)}`)
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

/** The framing of a streamed response; undefined when it is not a stream, or its framing is unknown. */
function pieceKindOf({ type, length, isEncoded }: ResponseHead): PieceKind | undefined {
  if (length !== undefined || isEncoded) return undefined
  if (type.startsWith('application/x-ndjson')) return 'line'
  return type.startsWith('text/event-stream') ? 'event' : undefined
}

/** Longer lines or events are sent in parts. */
const maxHeldBytes = 64 * 1024
const newline = 0x0a
const carriageReturn = 0x0d

/** The framing of a stream: lines, or events that end with an empty line. */
export type PieceKind = 'line' | 'event'

/**
 * Forwards complete lines or events and buffers an incomplete one. If the node fails, the caller has only complete ones,
 * and the error that follows is not appended to a fragment.
 */
export class WholePieces {
  readonly #kind: PieceKind
  #held: Buffer | undefined
  #isWhole = true

  constructor(kind: PieceKind) {
    this.#kind = kind
  }

  /** Whether only complete lines or events were forwarded so far. */
  get isWhole(): boolean {
    return this.#isWhole
  }

  /** The data that can be forwarded now; undefined without any. */
  take(chunk: Buffer): Buffer | undefined {
    const all = this.#held === undefined ? chunk : Buffer.concat([this.#held, chunk])
    const end = this.#endOfLast(all)
    if (end === 0 && all.length > maxHeldBytes) {
      this.#held = undefined
      this.#isWhole = false
      return all
    }
    this.#held = end === all.length ? undefined : all.subarray(end)
    if (end === 0) return undefined
    this.#isWhole = true
    return end === all.length ? all : all.subarray(0, end)
  }

  /** The buffered incomplete line or event. */
  rest(): Buffer | undefined {
    return this.#held
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

/** Whether the line that ends here is empty. */
function endsEvent(bytes: Buffer, at: number): boolean {
  const before = bytes[at - 1]
  return before === newline || (before === carriageReturn && bytes[at - 2] === newline)
}
