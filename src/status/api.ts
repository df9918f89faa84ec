import { Type } from 'typebox'
import {
  type ApiDefinition,
  type ErrorView,
  perCaller,
  plainErrorFormat,
  type RatePolicy,
} from '#kernel/http'

/** Error codes of this API that are not just the kernel's code in capitals. */
const errorCodes: ApiDefinition['errorCodes'] = {
  ...plainErrorFormat.errorCodes,
  malformed_body: 'BAD_REQUEST',
  invalid_input: 'BAD_REQUEST',
  authentication_required: 'UNAUTHORIZED',
  invalid_api_key: 'UNAUTHORIZED',
  invalid_token: 'UNAUTHORIZED',
  invalid_credentials: 'UNAUTHORIZED',
  token_expired: 'UNAUTHORIZED',
  permission_denied: 'FORBIDDEN',
  invalid_csrf_token: 'FORBIDDEN',
  insufficient_scope: 'FORBIDDEN',
  not_found: 'NOT_FOUND',
  status_type_not_found: 'NOT_FOUND',
  internal: 'INTERNAL_SERVER_ERROR',
}

/** The status API. */
export const statusApi: ApiDefinition = {
  name: 'status',
  title: 'Status',
  version: '1.0.0',
  description:
    'Health, history and incidents of the services, live metrics, MCP servers and usage of the interface.',
  prefixes: ['/api/llm', '/admin/llm', '/llm-ui', '/admin/mcp', '/status', '/status.json'],
  errorCodes,
  errorBody: ({ code, message, problems, requestId, at }: ErrorView) => ({
    error: code.toUpperCase(),
    message,
    timestamp: at.toISOString(),
    ...(problems.length > 0 && { problems }),
    request_id: requestId,
  }),
  errorSchema: Type.Object({
    error: Type.String(),
    message: Type.String(),
    timestamp: Type.String({ format: 'date-time' }),
    problems: Type.Optional(
      Type.Array(Type.Object({ path: Type.String(), message: Type.String(), code: Type.String() })),
    ),
    request_id: Type.String(),
  }),
  ratePolicy: perMinute('status-health', 120),
}

/** For usage events of the interface. */
export const usageRate = perMinute('status-analytics', 60)

/** For changes of the configuration. */
export const configurationRate = perMinute('status-configuration', 30)

function perMinute(name: string, limit: number): RatePolicy {
  const rule = { limit, windowSeconds: 60 }
  return perCaller({ name, signedIn: rule, anonymous: rule })
}
