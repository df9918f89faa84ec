import { TuttiError } from './errors.ts'

export interface RetryOptions {
  readonly fetch: (request: Request) => Promise<Response>
  readonly maxRetries: number
  /** Bounds the wait for the headers of a response; a stream may then take longer. */
  readonly timeoutMs: number
}

const retriedStatus: ReadonlySet<number> = new Set([429, 502, 503, 504])
const safeMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE'])

const firstPauseMs = 500
const maxPauseMs = 30_000

/**
 * Sends requests, and sends those again that failed for a moment.
 *
 * | the attempt                                  | and the request                          | then                                        |
 * |----------------------------------------------|------------------------------------------|---------------------------------------------|
 * | gets 429, 502, 503 or 504, or no response    | is safe to repeat: not POST or PATCH, or | repeated after `Retry-After`, else after a  |
 * |                                              | it has an `Idempotency-Key`              | pause that doubles                          |
 * | gets 429                                     | is any                                   | repeated: it was refused before it began    |
 * | asks to wait longer than 30 seconds          | is any                                   | returned                                    |
 * | ends in any other way                        | is any                                   | returned, or thrown as a TuttiError         |
 */
export function createSend({ fetch, maxRetries, timeoutMs }: RetryOptions) {
  async function attempt(request: Request): Promise<Response | TuttiError> {
    const timer = new AbortController()
    const timeout = setTimeout(() => timer.abort(), timeoutMs)
    try {
      return await fetch(new Request(request, { signal: AbortSignal.any([request.signal, timer.signal]) }))
    } catch (cause) {
      request.signal.throwIfAborted()
      const message = timer.signal.aborted
        ? `The platform did not respond within ${timeoutMs / 1000} seconds.`
        : `The platform at ${new URL(request.url).origin} did not respond.`
      return new TuttiError(message, { status: 0, code: 'unreachable', cause })
    } finally {
      clearTimeout(timeout)
    }
  }

  /** Throws a TuttiError when no response arrived, and the reason of the request's signal. */
  return async function send(request: Request): Promise<Response> {
    const isRepeatable = safeMethods.has(request.method) || request.headers.has('idempotency-key')
    for (let retries = 0; ; retries += 1) {
      const isLast = retries >= maxRetries
      const outcome = await attempt(isLast ? request : request.clone())
      const status = outcome instanceof Response ? outcome.status : 0
      const mayHelp = status === 429 || (isRepeatable && (status === 0 || retriedStatus.has(status)))
      const pauseMs = pauseBefore(retries, outcome)
      if (isLast || !mayHelp || pauseMs > maxPauseMs) {
        if (outcome instanceof Response) return outcome
        throw outcome
      }
      if (outcome instanceof Response) await outcome.body?.cancel()
      await pause(pauseMs, request.signal)
    }
  }
}

function pauseBefore(retries: number, outcome: Response | TuttiError): number {
  const given =
    outcome instanceof Response ? Number(outcome.headers.get('retry-after') ?? Number.NaN) : Number.NaN
  if (Number.isFinite(given)) return given * 1000
  // Half of the pause is random, so that clients that failed together do not come back together.
  return firstPauseMs * 2 ** retries * (0.5 + Math.random() / 2)
}

/** Resolves after a time. Rejects with the reason of the signal when it aborts. */
export function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted()
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', abort)
      resolve()
    }, ms)
    function abort(): void {
      clearTimeout(timer)
      reject(signal.reason)
    }
    signal.addEventListener('abort', abort, { once: true })
  })
}
