/** One thing that is wrong with what was sent; `path` names the field, like `redirect_uris[1]`. */
export interface Problem {
  readonly path: string
  /** The end of a sentence that begins with the field. */
  readonly message: string
}

/** An answer that was not the one asked for, told so that a person can act on it. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  /** 0 when no answer came at all. */
  readonly status: number
  readonly code: string
  readonly problems: readonly Problem[]
  readonly requestId: string | undefined

  constructor(failure: {
    status: number
    code: string
    message: string
    problems?: readonly Problem[] | undefined
    requestId?: string | undefined
    cause?: unknown
  }) {
    super(failure.message, { cause: failure.cause })
    this.status = failure.status
    this.code = failure.code
    this.problems = failure.problems ?? []
    this.requestId = failure.requestId
  }

  /** Whether asking again, unchanged, can help. */
  get retryable(): boolean {
    return this.status === 0 || this.status === 429 || (this.status > 501 && this.status < 505)
  }
}

/** No answer: the platform is down, restarting, or the network is gone. */
export function unreachable(cause: unknown): ApiFailure {
  return new ApiFailure({ status: 0, code: 'unreachable', message: 'The server did not respond.', cause })
}

/** Reads the error body of an interface of the platform; anything else (a proxy's page) is told by its status. */
export function apiFailureOf(response: Response, body: unknown): ApiFailure {
  const { code, message, problems } = errorOf(body)
  return new ApiFailure({
    status: response.status,
    code: code ?? `http_${response.status}`,
    message: message ?? `The server responded with status ${response.status}.`,
    problems,
    requestId: response.headers.get('x-request-id') ?? undefined,
  })
}

/** The failure of a response whose body is still unread. */
export async function readApiFailure(response: Response): Promise<ApiFailure> {
  return apiFailureOf(response, await response.json().catch(() => undefined))
}

function errorOf(body: unknown): { code?: string; message?: string; problems?: readonly Problem[] } {
  if (!hasField(body, 'error')) return {}
  const { error } = body
  // One interface has the code there alone, and the rest beside it.
  if (typeof error === 'string' && hasField(body, 'message') && typeof body.message === 'string') {
    return { code: error, message: body.message, ...problemsIn(body) }
  }
  return {
    ...(hasField(error, 'code') && typeof error.code === 'string' ? { code: error.code } : {}),
    ...(hasField(error, 'message') && typeof error.message === 'string' ? { message: error.message } : {}),
    ...problemsIn(error),
  }
}

/** Some interfaces tell them beside the message, some among its details. */
function problemsIn(error: unknown): { problems?: readonly Problem[] } {
  if (hasField(error, 'problems') && Array.isArray(error.problems)) {
    return { problems: error.problems.filter(isProblem) }
  }
  return hasField(error, 'details') ? problemsIn(error.details) : {}
}

function isProblem(value: unknown): value is Problem {
  return (
    hasField(value, 'path') &&
    typeof value.path === 'string' &&
    hasField(value, 'message') &&
    typeof value.message === 'string'
  )
}

function hasField<Name extends string>(value: unknown, name: Name): value is Record<Name, unknown> {
  return typeof value === 'object' && value !== null && name in value
}
