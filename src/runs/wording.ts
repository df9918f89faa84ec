/** What every interface over the engine calls in the same way, of all that can fail below it. */
export const commonWording = {
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

  model_not_found: { code: 'PROVIDER_UNAVAILABLE', status: 502 },
  provider_refused: { code: 'PROVIDER_UNAVAILABLE', status: 502 },
  provider_rate_limited: { code: 'PROVIDER_UNAVAILABLE', status: 502 },
  provider_unavailable: { code: 'PROVIDER_UNAVAILABLE', status: 502 },
  provider_timeout: { code: 'PROVIDER_UNAVAILABLE', status: 502 },
  answer_broke_off: { code: 'PROVIDER_UNAVAILABLE', status: 502 },

  queue_full: 'SYSTEM_OVERLOADED',
} as const
