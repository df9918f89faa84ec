import { ApiFailure, apiFailureOf } from '../../api/api-failure.ts'

/** Reads an error of the tours API, which has its message at the top level and its problems in `errors`. */
export function tourFailureOf(response: Response, body: unknown): ApiFailure {
  const { message, errors } = (body ?? {}) as { readonly message?: unknown; readonly errors?: unknown }
  if (typeof message !== 'string' || !Array.isArray(errors)) return apiFailureOf(response, body)
  const found = errors.filter(isTold)
  return new ApiFailure({
    status: response.status,
    code: found[0]?.code ?? `http_${response.status}`,
    message,
    problems: found
      .filter(({ field }) => field !== '')
      .map((it) => ({ path: it.field, message: withoutField(it) })),
    requestId: response.headers.get('x-request-id') ?? undefined,
  })
}

interface Told {
  readonly field: string
  readonly message: string
  readonly code: string
}

/** The message without its field, which the form shows next to it: `title is required.` becomes `is required`. */
function withoutField({ field, message }: Told): string {
  return message.startsWith(`${field} `) ? message.slice(field.length + 1).replace(/\.$/, '') : message
}

function isTold(value: unknown): value is Told {
  const { field, message, code } = (value ?? {}) as Partial<Record<keyof Told, unknown>>
  return typeof field === 'string' && typeof message === 'string' && typeof code === 'string'
}
