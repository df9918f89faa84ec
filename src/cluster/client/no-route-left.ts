import type { ModelRoute } from './route.ts'

/**
 * Why a route was skipped.
 *
 * | reason        | is                                                        |
 * |---------------|-----------------------------------------------------------|
 * | unreachable   | no connection, or closed before the response started      |
 * | late          | no response in time, by this client or the route (504)    |
 * | unavailable   | temporarily unavailable (502, 503, 508)                   |
 */
export interface FailedRoute {
  readonly kind: ModelRoute['kind']
  readonly url: string
  readonly reason: 'unreachable' | 'late' | 'unavailable'
  /** Completes "cluster http://…: ". */
  readonly message: string
  /** `Retry-After` of its response, unchanged. */
  readonly retryAfter?: string | undefined
}

/** Every route failed. The message has the reason of each route. */
export class NoRouteLeft extends Error {
  override readonly name = 'NoRouteLeft'
  readonly failures: readonly FailedRoute[]

  constructor(failures: readonly FailedRoute[]) {
    const told = failures.map(({ kind, url, message }) => `${kind} ${url}: ${message}`)
    super(told.length === 0 ? 'there is no route to a model' : told.join('; '))
    this.failures = failures
  }
}
