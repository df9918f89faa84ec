/**
 * Why a provider did not answer, and what follows.
 *
 * | kind              | is                                                     | another provider may be asked |
 * |-------------------|--------------------------------------------------------|-------------------------------|
 * | rate_limited      | it takes no more for now (429)                         | yes                           |
 * | unavailable       | not reached, or it failed by itself (5xx)              | yes                           |
 * | timeout           | it did not begin, or stopped half-way                  | yes                           |
 * | malformed         | what it sent is not an answer                          | yes                           |
 * | unauthorized      | our key is missing, wrong or used up (401, 402, 403)   | yes                           |
 * | model_not_found   | it has no such model                                   | yes                           |
 * | refused           | it does not take this request (other 4xx)              | no                            |
 * | unsupported       | it cannot honour something the call asks for           | no                            |
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
  /** For the caller: says what happened, names no secret. */
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

/** Whether asking somebody else could help. */
export function mayBeAskedElsewhere(failure: ProviderFailure): boolean {
  return !finalKinds.has(failure.kind)
}
