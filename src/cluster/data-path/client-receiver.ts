import type { ServerResponse } from 'node:http'
import type { Failure } from '#kernel/errors'
import type { AnswerTail } from '../requests/answer-tail.ts'
import type { AnswerHead } from '../requests/attempt.ts'
import type { AnswerFacts, Receiver } from '../requests/exchange.ts'
import { headersForCaller } from '../requests/passed-headers.ts'
import { sendFailure } from './send-failure.ts'
import type { Voice } from './voices.ts'

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
  let lastWords: ((failure: Failure, tail: AnswerTail) => string) | undefined

  function writeHead({ status, headers }: AnswerHead, { node, attempts, position }: AnswerFacts): void {
    const passed = headersForCaller(headers)
    passed['x-request-id'] = requestId
    passed['x-cluster-node'] = node.id
    if (attempts > 1) passed['x-cluster-attempts'] = String(attempts)
    if (position > 0) passed['x-queue-position'] = String(position)
    response.writeHead(status, passed)
  }

  return {
    whole(head, body, facts) {
      writeHead(head, facts)
      // As a text it leaves in one piece with the head; as bytes it would be a piece of its own. Latin 1 keeps every byte.
      if (body.length <= largestTextBytes) response.end(body.toString('latin1'), 'latin1')
      else response.end(body)
    },
    begin(head, facts) {
      lastWords = lastWordsFor(head, voice)
      writeHead(head, facts)
      response.on('close', () => clearTimeout(idle))
      response.on('drain', () => {
        clearTimeout(idle)
        onDrain()
      })
    },
    data(chunk) {
      if (response.write(chunk)) return true
      clearTimeout(idle)
      idle = setTimeout(() => response.destroy(), mostIdleMs)
      return false
    },
    end: () => void response.end(),
    breakOff(failure, tail) {
      onFailure(failure)
      // An answer without lines has no place for an error: that it ends too early is all that can be told.
      if (lastWords === undefined) response.destroy()
      else response.end(lastWords(failure, tail))
    },
    fail(failure) {
      onFailure(failure)
      sendFailure(response, failure, { requestId, voice })
    },
  }
}

/** One more line in the shape of the stream, on a line of its own whatever was cut off before it. */
function lastWordsFor({ headers }: AnswerHead, voice: Voice) {
  if (headers['content-length'] !== undefined || headers['content-encoding'] !== undefined) return undefined
  const type = headers['content-type'] ?? ''
  if (type.startsWith('application/x-ndjson')) {
    return ({ status, message }: Failure, tail: AnswerTail) =>
      `${tail.endsWith('\n') ? '' : '\n'}${voice.body(status, message)}\n`
  }
  if (type.startsWith('text/event-stream')) {
    return ({ status, message }: Failure, tail: AnswerTail) =>
      `${tail.endsWith('\n\n') ? '' : '\n\n'}data: ${voice.body(status, message)}\n\n`
  }
  return undefined
}
