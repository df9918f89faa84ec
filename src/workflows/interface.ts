import type { ErrorView, InterfaceDefinition } from '#kernel/http'
import { WorkflowsError } from './schemas/error-body.ts'

export const workflowsPrefix = '/ai-workflows/api'

/** Every failure from below that this interface does not simply say in capitals. */
const wording: InterfaceDefinition['wording'] = {
  malformed_body: 'VALIDATION_FAILED',
  invalid_input: 'VALIDATION_FAILED',
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

  budget_used_up: 'INSUFFICIENT_CREDITS',
  model_not_found: { code: 'PROVIDER_UNAVAILABLE', status: 502 },
  provider_refused: { code: 'PROVIDER_UNAVAILABLE', status: 502 },
  provider_rate_limited: { code: 'PROVIDER_UNAVAILABLE', status: 502 },
  provider_unavailable: { code: 'PROVIDER_UNAVAILABLE', status: 502 },
  provider_timeout: { code: 'PROVIDER_UNAVAILABLE', status: 502 },
  answer_broke_off: { code: 'PROVIDER_UNAVAILABLE', status: 502 },
  answer_not_as_asked: { code: 'AGENT_DECISION_ERROR', status: 500 },

  too_many_executions: 'CONCURRENT_LIMIT_EXCEEDED',
  queue_full: 'SYSTEM_OVERLOADED',
}

/** The Workflows interface, with the address its errors send readers to. */
export function createWorkflowsInterface(publicUrl: string | undefined): InterfaceDefinition {
  return {
    name: 'workflows',
    title: 'Workflows',
    version: '1.0.0',
    description: 'Runs multi-step flows at once or in the background, and tells all about it.',
    prefixes: [workflowsPrefix],
    wording,
    errorBody: (error) => describeError(error, publicUrl),
    errorSchema: WorkflowsError,
  }
}

/** `recovery_options` travel with the details of a failure, and stand beside them here. */
function describeError(error: ErrorView, publicUrl: string | undefined) {
  const { code, message, details, problems, requestId, origin, at } = error
  const { recovery_options = [], ...rest } = details
  return {
    error: {
      code: code.toUpperCase(),
      message,
      details: { ...rest, ...(problems.length > 0 && { problems }) },
      recovery_options,
      timestamp: Math.floor(at.getTime() / 1000),
      request_id: requestId,
      support_reference: `request:${requestId}`,
      documentation_url: `${publicUrl?.replace(/\/$/, '') ?? origin}/docs#workflows`,
    },
  }
}
