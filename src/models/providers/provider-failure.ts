/**
 * Why a provider failed, and whether the gateway may fall back to another candidate.
 *
 * | kind              | meaning                                                | fallback                      |
 * |-------------------|--------------------------------------------------------|-------------------------------|
 * | rate_limited      | its rate limit is exceeded (429)                       | yes                           |
 * | unavailable       | not reachable, or an error of the provider (5xx)       | yes                           |
 * | timeout           | no first part, or a stalled response                   | yes                           |
 * | malformed         | an invalid response                                    | yes                           |
 * | unauthorized      | the API key is missing, wrong or out of quota (401, 402, 403) | yes                    |
 * | model_not_found   | it has no such model                                   | yes                           |
 * | refused           | it rejected the request (other 4xx)                    | no                            |
 * | unsupported       | it does not support an option of the call              | no                            |
 */
export type ProviderFailureKind =
  | 'rate_limited'
  | 'unavailable'
  | 'timeout'
  | 'malformed'
  | 'unauthorized'
  | 'model_not_found'
  | 'refused'
  | 'unsupported'

interface ProviderFailureOptions {
  readonly kind: ProviderFailureKind
  /** The message for the caller, without secrets. */
  readonly message: string
  readonly retryAfterSeconds?: number | undefined
  readonly cause?: unknown
}

export class ProviderFailure extends Error {
  override readonly name = 'ProviderFailure'
  readonly kind: ProviderFailureKind
  readonly retryAfterSeconds: number | undefined

  constructor({ kind, message, retryAfterSeconds, cause }: ProviderFailureOptions) {
    super(message, { cause })
    this.kind = kind
    this.retryAfterSeconds = retryAfterSeconds
  }
}

const finalKinds: ReadonlySet<ProviderFailureKind> = new Set(['refused', 'unsupported'])

/** Whether another candidate could succeed. */
export function mayFallBack(failure: Pick<ProviderFailure, 'kind'>): boolean {
  return !finalKinds.has(failure.kind)
}
