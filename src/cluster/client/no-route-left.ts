import type { ModelRoute } from './route.ts'

/**
 * Why a route was passed over.
 *
 * | reason        | is                                                        |
 * |---------------|-----------------------------------------------------------|
 * | unreachable   | no connection, or one that closed before an answer began  |
 * | late          | no answer in time, by our clock or its own (504)          |
 * | unavailable   | it says that it cannot for now (502, 503, 508)            |
 */
export interface FailedRoute {
  readonly kind: ModelRoute['kind']
  readonly url: string
  readonly reason: 'unreachable' | 'late' | 'unavailable'
  /** Completes "cluster http://…: ". */
  readonly message: string
  /** The `Retry-After` of its answer, as it was sent. */
  readonly retryAfter?: string | undefined
}

/** Every route failed. The message says why each of them did. */
export class NoRouteLeft extends Error {
  override readonly name = 'NoRouteLeft'
  readonly failures: readonly FailedRoute[]

  constructor(failures: readonly FailedRoute[]) {
    const told = failures.map(({ kind, url, message }) => `${kind} ${url}: ${message}`)
    super(told.length === 0 ? 'there is no route to a model' : told.join('; '))
    this.failures = failures
  }
}
