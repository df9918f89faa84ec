import type { Failure } from '#kernel/errors'
import { clusterFailure } from '../errors.ts'
import type { Exchange } from './exchange.ts'
import type { Requests } from './requests.ts'
import type { ResponseHead } from './wire/response-head.ts'
import type { ResponseRouting, Work } from './work.ts'

export interface CollectedResponse {
  readonly head: ResponseHead
  readonly body: Buffer
  readonly routing: ResponseRouting
}

interface CollectOptions {
  readonly requests: Requests
  readonly work: Work
  /** Cancels the request; its response is no longer needed. */
  readonly signal: AbortSignal
  /** Timeout of the whole response; undefined without a limit. */
  readonly timeoutMs: number | undefined
}

const maxResponseBytes = 16 * 1024 * 1024

/** Sends a request to a node and waits for the complete response. */
export async function collectResponse({
  requests,
  work,
  signal,
  timeoutMs,
}: CollectOptions): Promise<CollectedResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<CollectedResponse>()
  const chunks: Buffer[] = []
  let bytes = 0
  let begun: { readonly head: ResponseHead; readonly routing: ResponseRouting } | undefined

  function giveUp(failure: Failure): void {
    exchange.cancel()
    reject(failure)
  }

  const exchange: Exchange = requests.begin(work, () => ({
    whole: (head, body, routing) => resolve({ head, body, routing }),
    begin(head, routing) {
      begun = { head, routing }
    },
    data(chunk) {
      bytes += chunk.length
      chunks.push(Buffer.from(chunk))
      if (bytes > maxResponseBytes) {
        giveUp(clusterFailure('attempts_failed', { message: 'the answer is larger than 16 MiB' }))
      }
      return true
    },
    continued() {},
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
          giveUp(clusterFailure('node_timeout', { message: `no response within ${timeoutMs / 1000} s` }))
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
