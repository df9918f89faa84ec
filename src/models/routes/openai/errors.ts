import type { FastifyReply } from 'fastify'
import type { Failure, Problem } from '#kernel/errors'
import type { ErrorView } from '#kernel/http'

interface OpenAiError {
  readonly message: string
  readonly type: string
  readonly param: string | null
  readonly code: string
}

/** The OpenAI code for each kind of problem with a field. */
const problemCodes: Readonly<Record<string, string>> = {
  required: 'missing_required_parameter',
  unknown_field: 'unknown_parameter',
  unsupported: 'unsupported_parameter',
  type: 'invalid_type',
}

/** The field that a failure is about. */
const params: Readonly<Record<string, string>> = {
  model_not_found: 'model',
  model_not_allowed: 'model',
  previous_response_not_found: 'previous_response_id',
  conversation_too_long: 'previous_response_id',
  response_not_found: 'response_id',
}

/** An error in the format of OpenAI: `type` is its category, `param` the field, `code` the exact reason. */
export function describeOpenAiError(
  error: Pick<ErrorView, 'code' | 'status' | 'message' | 'problems'>,
): OpenAiError {
  const { code, status, message, problems } = error
  // Problems of other failures are not about the request.
  const [first] = code === 'invalid_request' ? problems : []
  return { message, type: typeOf(status, code), param: paramOf(code, first), code: codeOf(code, first) }
}

function typeOf(status: number, code: string): string {
  if (status === 401) return 'authentication_error'
  if (status === 403) return 'permission_error'
  if (status === 429) return code === 'insufficient_quota' ? code : 'rate_limit_error'
  return status < 500 ? 'invalid_request_error' : 'server_error'
}

function paramOf(code: string, problem: Problem | undefined): string | null {
  if (problem !== undefined && problem.path !== '') return problem.path
  return params[code] ?? null
}

function codeOf(code: string, problem: Problem | undefined): string {
  if (problem === undefined) return code
  return problemCodes[problem.code] ?? 'invalid_value'
}

/** OpenAI clients retry by themselves; for a permanent failure, `x-should-retry` tells them not to. */
export function discourageRetries(reply: FastifyReply, failure: Failure): Failure {
  const wouldRetry = failure.status === 429 || failure.status >= 500
  if (wouldRetry && !failure.retryable && !reply.sent) void reply.header('x-should-retry', 'false')
  return failure
}
