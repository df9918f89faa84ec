/** One validation problem of a request; `path` names the field, like `redirect_uris[1]`. */
export interface Problem {
  readonly path: string
  /** The end of a sentence that begins with the field name. */
  readonly message: string
}

/** A failed request, with a message that the user can act on. */
export class ApiFailure extends Error {
  override readonly name = 'ApiFailure'
  /** 0 when no response arrived. */
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

  /** Whether the same request can succeed on a retry. */
  get retryable(): boolean {
    return this.status === 0 || this.status === 429 || (this.status > 501 && this.status < 505)
  }
}

/** The failure of a request without a response: the platform is down or restarting, or the network is gone. */
export function unreachable(cause: unknown): ApiFailure {
  return new ApiFailure({ status: 0, code: 'unreachable', message: 'The server did not respond.', cause })
}

/** Reads the error body of a platform API; any other body, such as a proxy's page, is described by its status. */
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
  // One API has only the code in `error`, and the message beside it.
  if (typeof error === 'string' && hasField(body, 'message') && typeof body.message === 'string') {
    return { code: error, message: body.message, ...problemsIn(body) }
  }
  return {
    ...(hasField(error, 'code') && typeof error.code === 'string' ? { code: error.code } : {}),
    ...(hasField(error, 'message') && typeof error.message === 'string' ? { message: error.message } : {}),
    ...problemsIn(error),
  }
}

/** Some APIs list the problems beside the message, some in its details. */
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
