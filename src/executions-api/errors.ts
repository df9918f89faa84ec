import { defineFailures, type Failure, kernelFailure } from '#kernel/errors'
import type { ErrorView } from '#kernel/http'
import { epochSeconds } from './units.ts'

/** The failures of a synchronous execution, with the codes and statuses of the Workflows API. */
const executionFailureTable = {
  VALIDATION_FAILED: { status: 400, message: 'The output of a step is invalid.' },
  INSUFFICIENT_CREDITS: { status: 429, message: 'The budget is exhausted.' },
  STEP_DEPENDENCY_FAILED: { status: 422, message: 'A step that others depend on failed.' },
  MEMORY_LIMIT_EXCEEDED: { status: 422, message: 'The execution exceeded its memory limit.' },
  INVALID_STEP: { status: 422, message: 'A step cannot run with its input.' },
  EXPRESSION_FAILED: { status: 422, message: 'An expression of a step failed.' },
  LOOP_EXHAUSTED: { status: 422, message: 'A loop reached its maximum number of iterations.' },
  EXTERNAL_API_REFUSED: { status: 422, message: 'A step calls a URL that is not allowed.' },
  MISSING_VALUE: { status: 422, message: 'A placeholder of a step has no value.' },
  SECRET_NOT_FOUND: { status: 422, message: 'A step names an unknown secret or connection.' },
  RECORDING_MISSING: { status: 422, message: 'A replayed step has no recorded answer.' },
  EXECUTION_CANCELLED: { status: 409, message: 'The execution was cancelled.' },
  AGENT_DECISION_ERROR: { status: 500, message: 'An agent could not decide.' },
  INTERNAL_ERROR: { status: 500, message: 'An internal error occurred.' },
  EXECUTION_FAILED: { status: 500, message: 'The execution failed.' },
  PROVIDER_UNAVAILABLE: { status: 502, message: 'No provider responded.' },
  EXTERNAL_API_FAILED: { status: 502, message: 'A call to another API failed.' },
  TOOL_LIMIT_EXCEEDED: { status: 422, message: 'An agent with tools reached one of its limits.' },
  WAIT_TIMED_OUT: { status: 504, message: 'An answer or an event did not arrive in time.' },
  EXECUTION_TIMEOUT: { status: 504, message: 'The execution exceeded its timeout.' },
} as const

type ExecutionFailureCode = keyof typeof executionFailureTable

/** Creates the failure that a waiting caller receives for a failed execution. */
export const executionFailure = defineFailures(executionFailureTable)

/** An error stored by a release with other codes becomes a plain failure. */
export function knownCode(code: string): ExecutionFailureCode {
  return Object.hasOwn(executionFailureTable, code) ? (code as ExecutionFailureCode) : 'EXECUTION_FAILED'
}

/** The error codes that both APIs give the failures of the modules below them. */
export const commonErrorCodes = {
  authentication_required: 'AUTHENTICATION_REQUIRED',
  permission_denied: 'PERMISSION_DENIED',
  insufficient_scope: 'PERMISSION_DENIED',
  not_found: 'NOT_FOUND',
  method_not_allowed: 'METHOD_NOT_ALLOWED',
  request_timeout: 'REQUEST_TIMEOUT',
  conflict: 'CONFLICT',
  body_too_large: 'BODY_TOO_LARGE',
  unsupported_media_type: 'UNSUPPORTED_MEDIA_TYPE',
  headers_too_large: 'HEADERS_TOO_LARGE',
  too_many_requests: 'RATE_LIMIT_EXCEEDED',
  internal: 'INTERNAL_ERROR',
  overloaded: 'SYSTEM_OVERLOADED',
  database_unavailable: 'SYSTEM_OVERLOADED',
  objects_unavailable: 'SYSTEM_OVERLOADED',
  objects_not_configured: 'SYSTEM_OVERLOADED',
  shutting_down: 'SYSTEM_OVERLOADED',

  invalid_credentials: 'AUTHENTICATION_REQUIRED',
  token_expired: 'AUTHENTICATION_REQUIRED',
  invalid_token: 'AUTHENTICATION_REQUIRED',
  invalid_api_key: 'AUTHENTICATION_REQUIRED',
  invalid_csrf_token: 'PERMISSION_DENIED',
  cross_site_request: 'PERMISSION_DENIED',

  model_not_found: { code: 'PROVIDER_UNAVAILABLE', status: 502 },
  model_limit_reached: { code: 'PROVIDER_UNAVAILABLE', status: 502 },
  provider_refused: { code: 'PROVIDER_UNAVAILABLE', status: 502 },
  provider_rate_limited: { code: 'PROVIDER_UNAVAILABLE', status: 502 },
  provider_unavailable: { code: 'PROVIDER_UNAVAILABLE', status: 502 },
  provider_timeout: { code: 'PROVIDER_UNAVAILABLE', status: 502 },
  answer_broke_off: { code: 'PROVIDER_UNAVAILABLE', status: 502 },

  queue_full: 'SYSTEM_OVERLOADED',
  too_many_gated: 'QUEUE_FULL',
} as const

/** The fields that every error response of both APIs has. */
export function describeError({ code, message, details, problems, requestId, at }: ErrorView) {
  return {
    code: code.toUpperCase(),
    message,
    details: { ...details, ...(problems.length > 0 && { problems }) },
    timestamp: epochSeconds(at),
    request_id: requestId,
  }
}

interface InvalidField {
  /** The path of the field in the request. */
  readonly path: string
  /** The predicate of the sentence, which starts with the path: `must be in the future`. */
  readonly message: string
  readonly code: string
}

/** The failure for one field with a value that its schema allows and the request does not. */
export function invalidField({ path, message, code }: InvalidField): Failure {
  return kernelFailure('invalid_input', {
    message: `${path} ${message}.`,
    problems: [{ path, message, code }],
  })
}
