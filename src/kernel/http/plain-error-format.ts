import { Type } from 'typebox'
import type { ApiDefinition } from './api-definition.ts'

/** The error format that most APIs share: lower-case codes in `{error: {code, message, …}}`. */
export const plainErrorFormat: Pick<ApiDefinition, 'errorCodes' | 'errorBody' | 'errorSchema'> = {
  errorCodes: {
    malformed_body: 'invalid_request',
    invalid_input: 'invalid_request',
    authentication_required: 'authentication_required',
    permission_denied: 'permission_denied',
    insufficient_scope: 'insufficient_scope',
    not_found: 'not_found',
    method_not_allowed: 'method_not_allowed',
    request_timeout: 'request_timeout',
    conflict: 'conflict',
    body_too_large: 'body_too_large',
    unsupported_media_type: 'unsupported_media_type',
    headers_too_large: 'headers_too_large',
    too_many_requests: 'rate_limited',
    internal: 'internal_error',
    overloaded: 'overloaded',
    database_unavailable: 'database_unavailable',
    shutting_down: 'shutting_down',
  },
  errorBody: ({ code, message, details, problems, requestId }) => ({
    error: {
      code,
      message,
      ...(Object.keys(details).length > 0 && { details }),
      ...(problems.length > 0 && { problems }),
      request_id: requestId,
    },
  }),
  errorSchema: Type.Object({
    error: Type.Object({
      code: Type.String(),
      message: Type.String(),
      details: Type.Optional(Type.Object({}, { additionalProperties: true })),
      problems: Type.Optional(
        Type.Array(Type.Object({ path: Type.String(), message: Type.String(), code: Type.String() })),
      ),
      request_id: Type.String(),
    }),
  }),
}
