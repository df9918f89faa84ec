import type { Failure } from '#kernel/errors'
import { type ApiDefinition, plainErrorFormat } from '#kernel/http'

export type ErrorMessagesTable = ApiDefinition['errorCodes']

/** Error codes of the models API: every missing permission or scope is `insufficient_scope`. */
export const plainErrorMessages: ErrorMessagesTable = {
  ...plainErrorFormat.errorCodes,
  permission_denied: 'insufficient_scope',
}

/** The error codes of OpenAI, where it has one. */
export const openAiErrorMessages: ErrorMessagesTable = {
  ...plainErrorMessages,
  malformed_body: 'invalid_json',
  not_found: 'unknown_url',
  too_many_requests: 'rate_limit_exceeded',
  budget_used_up: 'insufficient_quota',
}

/** The error code of a failure in the middle of a stream, the same as that of a failure before it. */
export function errorCodeOf(errorCodes: ErrorMessagesTable, { code }: Pick<Failure, 'code'>): string {
  const entry = errorCodes[code] ?? code
  return typeof entry === 'string' ? entry : entry.code
}
