import type { ServerResponse } from 'node:http'
import type { Failure } from '#kernel/errors'
import type { ErrorFormat } from './error-formats.ts'

/** Answers with an error in the format of the path's protocol. */
export function sendFailure(
  response: ServerResponse,
  failure: Failure,
  { requestId, errorFormat }: { readonly requestId: string; readonly errorFormat: ErrorFormat },
): void {
  if (response.headersSent || response.destroyed) return
  const { status, retryAfterSeconds, headers } = failure
  const body = errorFormat.body(failure)
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'x-content-type-options': 'nosniff',
    'x-request-id': requestId,
    ...(retryAfterSeconds !== undefined && { 'retry-after': String(Math.ceil(retryAfterSeconds)) }),
    ...(status === 401 && { 'www-authenticate': 'Bearer realm="tutti"' }),
    // What was not read of the body would be taken for the next request.
    ...(status === 413 && { connection: 'close' }),
    ...headers,
  })
  response.end(body)
}
