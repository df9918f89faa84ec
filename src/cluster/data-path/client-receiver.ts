import type { ServerResponse } from 'node:http'
import type { Failure } from '#kernel/errors'
import type { AnswerFacts, Receiver } from '../requests/exchange.ts'
import { headersForCaller } from '../requests/passed-headers.ts'
import type { AnswerHead } from '../requests/wire/response-head.ts'
import { type ErrorFormat, sendFailure } from './error-formats.ts'

export interface ClientReceiverOptions {
  readonly response: ServerResponse
  readonly requestId: string
  readonly errorFormat: ErrorFormat
  /** A caller who takes nothing for this long is taken for gone. */
  readonly maxIdleMs: number
  /** The caller can take more. */
  readonly onDrain: () => void
  /** The answer could not be given or finished. */
  readonly onFailure: (failure: Failure) => void
}

const maxTextBytes = 8192

/** Passes an answer to the caller as it comes, byte for byte. */
export function createClientReceiver(options: ClientReceiverOptions): Receiver {
  const { response, requestId, errorFormat, maxIdleMs, onDrain, onFailure } = options
  let idle: NodeJS.Timeout | undefined
  let pieces: WholePieces | undefined
  let kind: PieceKind | undefined
  let lastPassed: Buffer | undefined

  function ownHeaders({ node, attempts, position }: AnswerFacts): string[] {
    const own = ['x-request-id', requestId, 'x-cluster-node', node.id]
    if (attempts > 1) own.push('x-cluster-attempts', String(attempts))
    if (position > 0) own.push('x-queue-position', String(position))
    return own
  }

  return {
    whole(head, body, facts) {
      const own = ownHeaders(facts)
      if (head.length === undefined && mayHaveLength(head)) own.push('content-length', String(body.length))
      response.writeHead(head.status, headersForCaller(head, own))
      // As a text it leaves in one piece with the head; as bytes it would be a piece of its own. Latin 1 keeps every byte.
      if (body.length <= maxTextBytes) response.end(body.toString('latin1'), 'latin1')
      else response.end(body)
    },
    begin(head, facts) {
      kind = pieceKindOf(head)
      if (kind !== undefined) pieces = new WholePieces(kind)
      response.writeHead(head.status, headersForCaller(head, ownHeaders(facts)))
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
      // An answer without lines has no place for an error: that it ends too early is all that can be told.
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

/** What was left out of 204 and 304 has no length of its own. */
function mayHaveLength({ status }: AnswerHead): boolean {
  return status !== 204 && status !== 304
}

/** The framing of a streamed response; undefined when it is not a stream, or its framing is unknown. */
function pieceKindOf({ type, length, isEncoded }: AnswerHead): PieceKind | undefined {
  if (length !== undefined || isEncoded) return undefined
  if (type.startsWith('application/x-ndjson')) return 'line'
  return type.startsWith('text/event-stream') ? 'event' : undefined
}

/** A piece that is longer than this passes in parts. */
const maxHeldBytes = 64 * 1024
const newline = 0x0a
const carriageReturn = 0x0d

/** What a stream is made of: lines, or events with an empty line behind each. */
export type PieceKind = 'line' | 'event'

/**
 * Lets a stream through piece by piece. An incomplete line or event is of no use, so it waits for its other half; should the
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
