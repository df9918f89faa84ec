import type { ErrorView, InterfaceDefinition, RatePolicy } from '#kernel/http'
import { OrchestraError } from './schemas/error-body.ts'

export const orchestraPrefix = '/ai-orchestra/api'

/** Every failure from below that this interface does not simply say in capitals. */
const wording: InterfaceDefinition['wording'] = {
  malformed_body: 'INVALID_REQUEST',
  invalid_input: 'VALIDATION_ERROR',
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
  shutting_down: 'SYSTEM_OVERLOADED',

  invalid_credentials: 'AUTHENTICATION_REQUIRED',
  token_expired: 'AUTHENTICATION_REQUIRED',
  invalid_token: 'AUTHENTICATION_REQUIRED',
  invalid_api_key: 'AUTHENTICATION_REQUIRED',
  invalid_csrf_token: 'PERMISSION_DENIED',
  cross_site_request: 'PERMISSION_DENIED',

  budget_used_up: { code: 'RATE_LIMIT_EXCEEDED', status: 429 },
  model_not_found: { code: 'PROVIDER_UNAVAILABLE', status: 502 },
  provider_refused: { code: 'PROVIDER_UNAVAILABLE', status: 502 },
  provider_rate_limited: { code: 'PROVIDER_UNAVAILABLE', status: 502 },
  provider_unavailable: { code: 'PROVIDER_UNAVAILABLE', status: 502 },
  provider_timeout: { code: 'PROVIDER_UNAVAILABLE', status: 502 },
  answer_broke_off: { code: 'PROVIDER_UNAVAILABLE', status: 502 },
  answer_not_as_asked: { code: 'EXECUTION_FAILED', status: 500 },

  too_many_executions: 'RATE_LIMIT_EXCEEDED',
  queue_full: 'SYSTEM_OVERLOADED',
  flow_not_found: 'WORKFLOW_NOT_FOUND',
  flow_conflict: 'WORKFLOW_CONFLICT',
  invalid_flow_definition: { code: 'VALIDATION_ERROR', status: 400 },
}

/** The Orchestra interface: how its requests are counted, and the address its errors send readers to. */
export function createOrchestraInterface(
  publicUrl: string | undefined,
  ratePolicy: RatePolicy,
): InterfaceDefinition {
  return {
    name: 'orchestra',
    title: 'Orchestra',
    version: '1.0.0',
    description: 'Runs named workflows of agents, and shows the whole platform at work.',
    prefixes: [orchestraPrefix],
    wording,
    errorBody: (error) => describeError(error, publicUrl),
    errorSchema: OrchestraError,
    ratePolicy,
  }
}

function describeError(
  { code, message, details, problems, requestId, origin, at }: ErrorView,
  publicUrl: string | undefined,
) {
  return {
    error: {
      code: code.toUpperCase(),
      message,
      details: { ...details, ...(problems.length > 0 && { problems }) },
      timestamp: Math.floor(at.getTime() / 1000),
      request_id: requestId,
      documentation: `${publicUrl?.replace(/\/$/, '') ?? origin}/docs#orchestra`,
    },
  }
}
