/** One problem of a request; `path` names the field, such as `context.name`. */
export interface Problem {
  readonly path: string
  readonly message: string
}

interface TuttiErrorFields {
  readonly status: number
  readonly code: string
  readonly problems?: readonly Problem[]
  readonly requestId?: string | undefined
  readonly body?: unknown
  readonly cause?: unknown
}

/** A request that failed: the platform refused it, or did not respond. */
export class TuttiError extends Error {
  override readonly name = 'TuttiError'
  /** The HTTP status; 0 when no response arrived. */
  readonly status: number
  /** A stable name of the error, such as `FLOW_NOT_FOUND`; `unreachable` when no response arrived. */
  readonly code: string
  /** What is wrong with the request, field by field. */
  readonly problems: readonly Problem[]
  /** Names the request in the logs of the platform. */
  readonly requestId: string | undefined
  /** The body of the response, parsed if it was JSON. */
  readonly body: unknown

  constructor(message: string, { status, code, problems = [], requestId, body, cause }: TuttiErrorFields) {
    super(message, { cause })
    this.status = status
    this.code = code
    this.problems = problems
    this.requestId = requestId
    this.body = body
  }
}

/** The error of a response that is not 2xx. The APIs of the platform have different error bodies; a proxy may answer with a page. */
export async function errorOf(response: Response): Promise<TuttiError> {
  const text = await response.text().catch(() => '')
  const body = parsed(text)
  const { code, message, problems } = fieldsOf(body)
  return new TuttiError(message ?? `The platform responded with status ${response.status}.`, {
    status: response.status,
    code: code ?? `http_${response.status}`,
    problems,
    requestId: response.headers.get('x-request-id') ?? undefined,
    body,
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function fieldsOf(body: unknown): { code?: string; message?: string; problems: readonly Problem[] } {
  const outer = asObject(body)
  const error = outer['error']
  // Some APIs have an object in `error`; others its code or its message, as a text.
  const inner = typeof error === 'object' ? asObject(error) : outer
  const code =
    textIn(inner, 'code') ?? textIn(inner, 'type') ?? (typeof error === 'string' ? error : undefined)
  const message = textIn(inner, 'message') ?? (typeof error === 'string' ? error : undefined)
  return {
    ...(code !== undefined && { code }),
    ...(message !== undefined && { message }),
    problems: problemsIn(inner['problems'] ?? asObject(inner['details'])['problems']),
  }
}

function problemsIn(value: unknown): readonly Problem[] {
  if (!Array.isArray(value)) return []
  return value.flatMap((entry: unknown) => {
    const path = textIn(asObject(entry), 'path')
    const message = textIn(asObject(entry), 'message')
    return path === undefined || message === undefined ? [] : [{ path, message }]
  })
}

function asObject(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {}
}

function textIn(object: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = object[name]
  return typeof value === 'string' ? value : undefined
}
