import { IncomingMessage } from 'node:http'
import type { FastifyRequest } from 'fastify'
import type { HttpServer } from '#kernel/http'

interface ApiRequest {
  readonly method?: 'GET' | 'POST'
  readonly path: string
  /** Undefined values are left out. */
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: object
  readonly headers?: Readonly<Record<string, string>>
}

/** The public HTTP APIs of this platform, with the credential of a caller. */
export interface PublicApi {
  /** Throws a `ToolError` when the response is not successful. */
  call<Body>(request: ApiRequest): Promise<Body>
}

/** The error result of a tool call. Its message is for the calling model and says how to fix the problem. */
export class ToolError extends Error {
  /** When to retry; undefined when a retry would not help. */
  readonly retryAfterSeconds: number | undefined

  constructor(message: string, retryAfterSeconds?: number) {
    super(message)
    this.retryAfterSeconds = retryAfterSeconds
  }
}

/** Encodes an id as a path segment. URLs drop the segments `.` and `..`, even encoded; these are quoted, and no id matches. */
export function pathSegment(id: string): string {
  return encodeURIComponent(/^\.{1,2}$/.test(id) ? `"${id}"` : id)
}

/** The headers that identify the caller and the origin of the request. */
const forwardedHeaders = [
  'authorization',
  'x-api-key',
  'cookie',
  'x-csrf-token',
  'user-agent',
  'host',
] as const

/**
 * Calls the platform's own HTTP APIs in process, with the credential, IP address and request id of the MCP request. So
 * tools have exactly the permissions, limits, budgets and validation of the public APIs.
 */
export function createPublicApi(request: FastifyRequest, app: Pick<HttpServer, 'inject'>): PublicApi {
  const caller: Record<string, string> = { 'x-request-id': request.id }
  for (const name of forwardedHeaders) {
    const value = request.headers[name]
    if (typeof value === 'string') caller[name] = value
  }
  const remoteAddress = request.ip

  return {
    async call<Body>({ method = 'GET', path, query = {}, body, headers = {} }: ApiRequest) {
      const given = Object.entries(query).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, String(value)] as const],
      )
      const response = await app.inject({
        method,
        url: path,
        query: Object.fromEntries(given),
        headers: { ...caller, ...headers },
        remoteAddress,
        // The server uses properties that only Node's own request class has.
        Request: IncomingMessage,
        ...(body !== undefined && { payload: body }),
      })
      const parsed = response.payload === '' ? undefined : (JSON.parse(response.payload) as unknown)
      if (response.statusCode < 300) return parsed as Body
      const seconds = readSeconds(response.headers['retry-after'])
      throw new ToolError(describeApiError(response.statusCode, parsed, seconds), seconds)
    },
  }
}

function readSeconds(header: string | string[] | number | undefined): number | undefined {
  const seconds = Number(header)
  return header === undefined || Number.isNaN(seconds) ? undefined : seconds
}

/** The common fields of the error responses of all APIs. */
interface ApiErrorBody {
  readonly error?: {
    readonly code?: string
    readonly message?: string
    readonly problems?: readonly Problem[]
    readonly recovery_options?: readonly { readonly action: string; readonly description: string }[]
    readonly details?: {
      readonly problems?: readonly Problem[]
      readonly suggestions?: readonly string[]
    }
  }
}

interface Problem {
  readonly path: string
  readonly message: string
}

/** How to fix an error, where the message of the API does not say so. */
const advice: Readonly<Record<string, string>> = {
  FLOW_NOT_FOUND: 'list_flows lists the available flows.',
  EXECUTION_NOT_FOUND:
    'Use the execution_id that run_flow returned; the execution must belong to this account.',
  HUMAN_TASK_NOT_FOUND: 'list_human_tasks lists the open questions of this account.',
  HUMAN_TASK_CLOSED: 'The first answer counts; get_execution shows how the execution continues.',
  EXECUTION_NOT_RUNNING: 'The execution has ended; get_execution shows its result.',
  VALIDATION_FAILED:
    'Correct the arguments and call again; get_flow shows the required inputs of a flow, list_human_tasks the form of an answer.',
  PERMISSION_DENIED: 'Ask an administrator of the platform for the permission, or use another key.',
  INSUFFICIENT_SCOPE: 'Use a key or token that has the scope.',
  AUTHENTICATION_REQUIRED: 'The credential is no longer valid: configure a new one in the client.',
  INSUFFICIENT_CREDITS: 'The daily budget is used up: wait until tomorrow (UTC), or request a higher tier.',
  CONCURRENT_LIMIT_EXCEEDED: 'Wait until one of the executions of this account has ended.',
  PROVIDER_UNAVAILABLE: 'list_models shows the available models.',
  SYSTEM_OVERLOADED: 'Try again shortly.',
}

/** Describes an API error for the calling model: what is wrong, where, and how to fix it. */
export function describeApiError(
  status: number,
  body: unknown,
  retryAfterSeconds: number | undefined,
): string {
  const error = (body as ApiErrorBody | undefined)?.error
  const code = error?.code?.toUpperCase() ?? `STATUS_${status}`
  const problems = error?.details?.problems ?? error?.problems ?? []
  const suggestions = error?.details?.suggestions ?? []
  return [
    `${code}: ${error?.message ?? `The platform responded with status ${status}.`}`,
    ...problems.map(({ path, message }) => `- ${path} ${message}`),
    ...(suggestions.length > 0 ? [`Did you mean ${suggestions.join(' or ')}?`] : []),
    ...(error?.recovery_options ?? []).map(({ action, description }) => `- ${action}: ${description}`),
    ...(retryAfterSeconds === undefined || /try again/i.test(error?.message ?? '')
      ? []
      : [`Try again in ${retryAfterSeconds} s.`]),
    ...(advice[code] === undefined ? [] : [advice[code]]),
  ].join('\n')
}
