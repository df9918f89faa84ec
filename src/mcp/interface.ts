import { Type } from 'typebox'
import { type ErrorView, type InterfaceDefinition, perCaller, plainVoice } from '#kernel/http'

/** As JSON-RPC numbers them; what it has no number for is a matter of the server. */
const numbers: Readonly<Record<string, number>> = {
  parse_error: -32_700,
  invalid_request: -32_600,
  internal_error: -32_603,
}
const serverError = -32_000

/** The platform as a server of the Model Context Protocol. What fails before a message is read is told as JSON-RPC, too. */
export const mcpInterface: InterfaceDefinition = {
  name: 'mcp',
  title: 'MCP',
  version: '1.0.0',
  description: 'Flows, executions and models as tools of the Model Context Protocol.',
  prefixes: ['/mcp', '/.well-known/oauth-protected-resource'],
  wording: { ...plainVoice.wording, malformed_body: 'parse_error' },
  errorBody: ({ code, message, details, problems, requestId }: ErrorView) => ({
    jsonrpc: '2.0',
    id: null,
    error: {
      code: numbers[code] ?? serverError,
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
            description:
              'The same as a word, and what else is known. Refusals of the protocol itself have none.',
          },
        ),
      ),
    }),
  }),
  // What tools do counts with the interfaces they use; this is for everything around it.
  ratePolicy: perCaller({
    name: 'mcp',
    signedIn: { limit: 600, windowSeconds: 60 },
    anonymous: { limit: 60, windowSeconds: 60 },
  }),
}
