import type { Failure } from '#kernel/errors'
import { clusterFailure } from '../errors.ts'
import type { AnswerFacts, Exchange, Work } from './exchange.ts'
import type { Requests } from './requests.ts'
import type { AnswerHead } from './wire/response-head.ts'

export interface CollectedAnswer {
  readonly head: AnswerHead
  readonly body: Buffer
  readonly facts: AnswerFacts
}

interface CollectOptions {
  readonly requests: Requests
  readonly work: Work
  /** Cancels the request; its response is no longer needed. */
  readonly signal: AbortSignal
  /** For the whole of it; undefined for as long as it takes. */
  readonly timeoutMs: number | undefined
}

const maxAnswerBytes = 16 * 1024 * 1024

/** Sends work to a node and waits for the whole answer. */
export async function collectAnswer({
  requests,
  work,
  signal,
  timeoutMs,
}: CollectOptions): Promise<CollectedAnswer> {
  const { promise, resolve, reject } = Promise.withResolvers<CollectedAnswer>()
  const chunks: Buffer[] = []
  let bytes = 0
  let begun: { readonly head: AnswerHead; readonly facts: AnswerFacts } | undefined

  function giveUp(failure: Failure): void {
    exchange.cancel()
    reject(failure)
  }

  const exchange: Exchange = requests.begin(work, () => ({
    whole: (head, body, facts) => resolve({ head, body, facts }),
    begin(head, facts) {
      begun = { head, facts }
    },
    data(chunk) {
      bytes += chunk.length
      chunks.push(chunk)
      if (bytes > maxAnswerBytes) {
        giveUp(clusterFailure('attempts_failed', { message: 'the answer is larger than 16 MiB' }))
      }
      return true
    },
    end() {
      if (begun !== undefined) resolve({ ...begun, body: Buffer.concat(chunks) })
    },
    breakOff: reject,
    fail: reject,
  }))
  const alarm =
    timeoutMs === undefined
      ? undefined
      : setTimeout(() => {
          giveUp(clusterFailure('node_timeout', { message: `no answer within ${timeoutMs / 1000} s` }))
        }, timeoutMs)
  const leave = () => giveUp(clusterFailure('attempts_failed', { message: 'the caller left' }))
  signal.addEventListener('abort', leave)
  try {
    return await promise
  } finally {
    clearTimeout(alarm)
    signal.removeEventListener('abort', leave)
  }
}
