import type { Failure } from '#kernel/errors'
import type { DataResponse } from './data-exchange.ts'

/** The fields of a failure that callers see. */
export type ToldFailure = Pick<Failure, 'status' | 'code' | 'message'>

/** How a protocol of the nodes reports an error. */
export interface ErrorFormat {
  /** As a response body, and as the last line of a line-delimited stream. */
  body(failure: ToldFailure): string
  /** As the last event of an event stream; `passed` is the end of the data already sent. */
  event(failure: ToldFailure, passed: Buffer | undefined): string
  /** Its events have numbers: `event` needs the last forwarded data. */
  readonly isNumbered?: boolean
}

/** Paths under `/api`. */
const native: ErrorFormat = {
  body: ({ message }) => JSON.stringify({ error: message }),
  event: (failure) => `data: ${native.body(failure)}\n\n`,
}

/** Paths under `/v1`, in OpenAI's format. */
const compatible: ErrorFormat = {
  body: (failure) => JSON.stringify({ error: describeCompatibleError(failure) }),
  event: (failure) => `data: ${compatible.body(failure)}\n\n`,
}

/** `/v1/responses`: its events have names and sequence numbers. */
const responses: ErrorFormat = {
  body: (failure) => compatible.body(failure),
  isNumbered: true,
  event(failure, passed) {
    const code = failure.code === 'model_not_found' ? failure.code : 'server_error'
    const data = {
      type: 'error',
      code,
      message: failure.message,
      param: null,
      sequence_number: nextNumber(passed),
    }
    return `event: error\ndata: ${JSON.stringify(data)}\n\n`
  },
}

/** `/v1/messages`, in Anthropic's format. Its clients ignore events without a name. */
const messages: ErrorFormat = {
  body: (failure) => JSON.stringify(describeMessagesError(failure)),
  event: (failure) => `event: error\ndata: ${messages.body(failure)}\n\n`,
}

/** The error object of `/v1`. */
export function describeCompatibleError({ status, code, message }: ToldFailure) {
  const type = compatibleTypeOf(status)
  if (code === 'model_not_found') return { message, type: 'invalid_request_error', param: 'model', code }
  if (code === 'model_not_allowed') return { message, type, param: 'model', code }
  return { message, type, param: null, code: status === 429 ? 'rate_limit_exceeded' : null }
}

function compatibleTypeOf(status: number): string {
  if (status === 401) return 'authentication_error'
  if (status === 403) return 'permission_error'
  if (status === 404) return 'not_found_error'
  if (status === 429) return 'rate_limit_error'
  return status < 500 ? 'invalid_request_error' : 'api_error'
}

/** The error body of `/v1/messages`. */
export function describeMessagesError({ status, message }: ToldFailure) {
  return { type: 'error', error: { type: messagesTypeOf(status), message } }
}

const messagesTypes: Readonly<Record<number, string>> = {
  401: 'authentication_error',
  403: 'permission_error',
  404: 'not_found_error',
  413: 'request_too_large',
  429: 'rate_limit_error',
  503: 'overloaded_error',
  504: 'timeout_error',
}

function messagesTypeOf(status: number): string {
  return messagesTypes[status] ?? (status < 500 ? 'invalid_request_error' : 'api_error')
}

const numberField = /"sequence_number":\s?(\d{1,9})/g

/** The next sequence number after the last forwarded event; 0 without one. */
function nextNumber(passed: Buffer | undefined): number {
  const last = [...(passed?.toString('latin1') ?? '').matchAll(numberField)].at(-1)?.[1]
  return last === undefined ? 0 : Number(last) + 1
}

export function errorFormatOf(path: string): ErrorFormat {
  if (!path.startsWith('/v1/')) return native
  if (path === '/v1/messages' || path.startsWith('/v1/messages/')) return messages
  return path === '/v1/responses' ? responses : compatible
}

/** Sends an error in the format of the path's protocol. */
export function sendFailure(
  response: DataResponse,
  failure: Failure,
  { requestId, errorFormat }: { readonly requestId: string; readonly errorFormat: ErrorFormat },
): void {
  if (response.isBegun || response.isClosed) return
  const { status, retryAfterSeconds, headers } = failure
  const body = errorFormat.body(failure)
  const fields = {
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(Math.ceil(retryAfterSeconds)) }),
    ...(status === 401 && { 'www-authenticate': 'Bearer realm="tutti"' }),
    // The unread rest of the body would be parsed as the next request.
    ...(status === 413 && { connection: 'close' }),
    ...headers,
  }
  response.send(status, Object.entries(fields).flat(), body)
}
