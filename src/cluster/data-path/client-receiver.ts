import type { ServerResponse } from 'node:http'
import type { Failure } from '#kernel/errors'
import type { AnswerFacts, Receiver } from '../requests/exchange.ts'
import { headersForCaller } from '../requests/passed-headers.ts'
import type { AnswerHead } from '../requests/wire/answer-head.ts'
import { sendFailure } from './send-failure.ts'
import type { Voice } from './voices.ts'
import { type PieceKind, WholePieces } from './whole-pieces.ts'

export interface ClientReceiverOptions {
  readonly response: ServerResponse
  readonly requestId: string
  readonly voice: Voice
  /** A caller who takes nothing for this long is taken for gone. */
  readonly mostIdleMs: number
  /** The caller can take more. */
  readonly onDrain: () => void
  /** The answer could not be given or finished. */
  readonly onFailure: (failure: Failure) => void
}

const largestTextBytes = 8192

/** Passes an answer to the caller as it comes, byte for byte. */
export function createClientReceiver(options: ClientReceiverOptions): Receiver {
  const { response, requestId, voice, mostIdleMs, onDrain, onFailure } = options
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
      if (body.length <= largestTextBytes) response.end(body.toString('latin1'), 'latin1')
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
      idle = setTimeout(() => response.destroy(), mostIdleMs)
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
      if (kind === 'line') response.end(`${isWhole ? '' : '\n'}${voice.body(failure)}\n`)
      else response.end(`${isWhole ? '' : '\n\n'}${voice.event(failure, lastPassed)}`)
    },
    fail(failure) {
      onFailure(failure)
      sendFailure(response, failure, { requestId, voice })
    },
  }
}

/** What was left out of 204 and 304 has no length of its own. */
function mayHaveLength({ status }: AnswerHead): boolean {
  return status !== 204 && status !== 304
}

/** Which pieces the answer is made of; undefined when it is something whole, or nobody can tell them apart. */
function pieceKindOf({ type, length, isEncoded }: AnswerHead): PieceKind | undefined {
  if (length !== undefined || isEncoded) return undefined
  if (type.startsWith('application/x-ndjson')) return 'line'
  return type.startsWith('text/event-stream') ? 'event' : undefined
}
