/** What one error code means: its HTTP status, the sentence a caller reads, and whether trying again can help. */
export interface FailureSpec {
  readonly status: number
  readonly message: string
  readonly retryable?: boolean
}

/** One thing that is wrong in what the caller sent; `path` is written like `steps[2].label`. */
export interface Problem {
  readonly path: string
  readonly message: string
  readonly code: string
}

export interface FailureOptions {
  /** Replaces the table's sentence where the case can be named more exactly. Shown to the caller. */
  readonly message?: string
  /** Facts the caller may use. Shown to the caller. */
  readonly details?: Readonly<Record<string, unknown>>
  readonly problems?: readonly Problem[]
  readonly retryAfterSeconds?: number
  /** Extra response headers, such as `allow` or `www-authenticate`. */
  readonly headers?: Readonly<Record<string, string>>
  /** What really happened. Logged, never shown. */
  readonly cause?: unknown
}

/** The one error class of the platform: a value the HTTP layer turns into the body of the interface at hand. */
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

/** Makes the throwing-side of an error table: `throw identityFailure('invalid_token')`. */
export function failuresOf<const Table extends Record<string, FailureSpec>>(table: Table) {
  type Code = keyof Table & string
  return (code: Code, options?: FailureOptions): Failure<Code> => {
    const spec: FailureSpec | undefined = table[code]
    if (spec === undefined) throw new TypeError(`no failure named ${code}`)
    return new Failure(code, spec, options)
  }
}
