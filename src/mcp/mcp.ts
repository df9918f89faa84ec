import { Type } from 'typebox'
import {
  type ApiDefinition,
  type ErrorView,
  type HttpServer,
  perCaller,
  plainErrorFormat,
  registerApi,
} from '#kernel/http'
import type { McpOptions } from './route-options.ts'
import { addMcpRoute } from './serving/mcp-route.ts'
import { addResourceMetadata } from './serving/resource-metadata.ts'

/** The MCP server of the platform. */
export interface Mcp {
  /** Registers the HTTP API. */
  readonly register: (app: HttpServer) => Promise<void>
}

/** Creates the MCP server. It stores nothing. */
export function createMcp(options: McpOptions): Mcp {
  return {
    register: (app) =>
      registerApi(app, mcpApi, (routes) => {
        addResourceMetadata(routes, options.publicUrl)
        addMcpRoute(routes, app, options)
      }),
  }
}

/** The error numbers of JSON-RPC; other errors get the number for server errors. */
const jsonRpcCodes: Readonly<Record<string, number>> = {
  parse_error: -32_700,
  invalid_request: -32_600,
  internal_error: -32_603,
}
const serverError = -32_000

/** The HTTP API of MCP. Errors before a message is read have the format of JSON-RPC as well. */
const mcpApi: ApiDefinition = {
  name: 'mcp',
  title: 'MCP',
  version: '1.0.0',
  description: 'Flows, executions and models as tools of the Model Context Protocol.',
  prefixes: ['/mcp', '/.well-known/oauth-protected-resource'],
  errorCodes: { ...plainErrorFormat.errorCodes, malformed_body: 'parse_error' },
  errorBody: ({ code, message, details, problems, requestId }: ErrorView) => ({
    jsonrpc: '2.0',
    id: null,
    error: {
      code: jsonRpcCodes[code] ?? serverError,
      message,
      data: {
        code,
        ...(Object.keys(details).length > 0 && { details }),
        ...(problems.length > 0 && { problems }),
        request_id: requestId,
      },
    },
  }),
  errorSchema: Type.Object({
    jsonrpc: Type.Enum(['2.0']),
    id: Type.Unsafe<null>({ type: 'string', nullable: true, description: 'Always null.' }),
    error: Type.Object({
      code: Type.Integer(),
      message: Type.String(),
      data: Type.Optional(
        Type.Object(
          { code: Type.String(), request_id: Type.String() },
          {
            additionalProperties: true,
            description: 'The error code as text, and details. Absent for errors of the protocol itself.',
          },
        ),
      ),
    }),
  }),
  // The API calls of tools count against the limits of their own APIs; this limit is for MCP messages.
  ratePolicy: perCaller({
    name: 'mcp',
    signedIn: { limit: 600, windowSeconds: 60 },
    anonymous: { limit: 60, windowSeconds: 60 },
  }),
}
