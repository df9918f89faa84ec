/** One error code: its HTTP status, its message for the caller, and whether a retry can help. */
export interface FailureSpec {
  readonly status: number
  readonly message: string
  readonly retryable?: boolean
}

/** One invalid value of a request; `path` is written like `steps[2].label`. */
export interface Problem {
  readonly path: string
  readonly message: string
  readonly code: string
}

export interface FailureOptions {
  /** Replaces the message of the table with a more specific one. Shown to the caller. */
  readonly message?: string
  /** Machine-readable context. Shown to the caller. */
  readonly details?: Readonly<Record<string, unknown>>
  readonly problems?: readonly Problem[]
  readonly retryAfterSeconds?: number
  /** Extra response headers, such as `allow` or `www-authenticate`. */
  readonly headers?: Readonly<Record<string, string>>
  /** The underlying error. Logged, never shown to the caller. */
  readonly cause?: unknown
}

/** The error class of the platform. The HTTP layer turns it into an error response of the API that was called. */
export class Failure<Code extends string = string> extends Error {
  readonly code: Code
  readonly status: number
  readonly retryable: boolean
  readonly details: Readonly<Record<string, unknown>>
  readonly problems: readonly Problem[]
  readonly retryAfterSeconds: number | undefined
  readonly headers: Readonly<Record<string, string>>

  constructor(code: Code, spec: FailureSpec, options: FailureOptions = {}) {
    super(options.message ?? spec.message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'Failure'
    this.code = code
    this.status = spec.status
    this.retryable = spec.retryable ?? false
    this.details = options.details ?? {}
    this.problems = options.problems ?? []
    this.retryAfterSeconds = options.retryAfterSeconds
    this.headers = options.headers ?? {}
  }
}

/**
 * Creates a function that builds the failures of an error table: `throw identityFailure('invalid_token')`. That function throws a
 * `TypeError` for a code that is not in the table.
 */
export function defineFailures<const Table extends Record<string, FailureSpec>>(table: Table) {
  type Code = keyof Table & string
  return (code: Code, options?: FailureOptions): Failure<Code> => {
    const spec: FailureSpec | undefined = table[code]
    if (spec === undefined) throw new TypeError(`unknown failure code ${code}`)
    return new Failure(code, spec, options)
  }
}

/** A mistake that the user of the CLI can correct. Only its message is printed, without a stack trace. */
export class UserError extends Error {
  override readonly name = 'UserError'
}

/** Failures that any API can respond with. Each API maps these codes to its own. */
export const kernelFailureTable = {
  malformed_body: { status: 400, message: 'The request body could not be read.' },
  invalid_input: { status: 400, message: 'The request is not valid.' },
  authentication_required: { status: 401, message: 'Sign in, or send an API key or token.' },
  permission_denied: { status: 403, message: 'You may not do this.' },
  insufficient_scope: { status: 403, message: 'This credential lacks the required scope.' },
  not_found: { status: 404, message: 'There is nothing at this address.' },
  method_not_allowed: { status: 405, message: 'This method is not allowed for this path.' },
  request_timeout: { status: 408, message: 'The request took too long to arrive.', retryable: true },
  conflict: { status: 409, message: 'This conflicts with the current state.' },
  body_too_large: { status: 413, message: 'The request body is too large.' },
  unsupported_media_type: { status: 415, message: 'This content type is not accepted here.' },
  headers_too_large: { status: 431, message: 'The request headers are too large.' },
  too_many_requests: {
    status: 429,
    message: 'Too many requests. Wait before trying again.',
    retryable: true,
  },
  internal: { status: 500, message: 'Something went wrong on our side.' },
  overloaded: { status: 503, message: 'The server is at its limit. Try again shortly.', retryable: true },
  database_unavailable: {
    status: 503,
    message: 'The database is unavailable. Try again shortly.',
    retryable: true,
  },
  shutting_down: { status: 503, message: 'The server is stopping. Try again shortly.', retryable: true },
} as const

export type KernelFailureCode = keyof typeof kernelFailureTable

/** Builds a failure of `kernelFailureTable`. */
export const kernelFailure = defineFailures(kernelFailureTable)
