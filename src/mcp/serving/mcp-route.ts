import { randomUUID } from 'node:crypto'
import { createMcpHandler } from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import { askAs } from '../public-api.ts'
import type { McpOptions } from '../route-options.ts'
import { createExecutionTools } from '../tools/execution-tools.ts'
import { getFlow, listFlows } from '../tools/flow-tools.ts'
import { listModels } from '../tools/model-tools.ts'
import type { Tool } from '../tools/tool.ts'
import { isOwnOrigin } from './check-origin.ts'
import { createRunningCalls } from './running-calls.ts'
import { sendResponse } from './send-response.ts'
import { type Caller, createToolServers } from './tool-server.ts'

/** More than any client sends together. */
const mostMessages = 50
const sessionHeader = 'mcp-session-id'

const about = `Streamable HTTP of the Model Context Protocol, without sessions: every revision from 2024-11-05 to 2026-07-28. Point an MCP client at this
address with an API key, a token of a sign-in or an OAuth token as \`Authorization: Bearer\`. Tools: \`list_flows\`, \`get_flow\`, \`run_flow\`, \`get_execution\`,
\`cancel_execution\`, \`list_models\`; each may do what its caller may do with the public interfaces, and counts with their limits and budgets.`

/** Where clients of the protocol talk to the platform. */
export function addMcpRoute(routes: HttpServer, app: HttpServer, options: McpOptions): void {
  const { version, publicUrl, log } = options
  const running = createRunningCalls()
  const tools: readonly Tool[] = [listFlows, getFlow, ...createExecutionTools(options), listModels]
  const serverFor = createToolServers({ tools, running, version, log })
  const handler = createMcpHandler(({ authInfo }) => serverFor(authInfo?.extra?.['caller'] as Caller), {
    // The list of tools never changes, so there is nothing to wait for.
    maxSubscriptions: 0,
    onerror: (error) => log.debug({ err: error }, 'a message of an MCP client was refused'),
  })

  routes.post(
    '/mcp',
    {
      config: { access: { signedIn: true, anyScope: true } },
      schema: {
        operationId: 'callMcp',
        summary: 'Talk to the platform as an MCP client',
        description: about.replaceAll('\n', ' '),
        body: Type.Unknown({ description: 'A message of JSON-RPC.' }),
        response: {
          200: {
            description: 'Its answer, or a stream that ends with it.',
            content: {
              'application/json': { schema: Type.Unknown() },
              'text/event-stream': { schema: Type.String() },
            },
          },
          202: Type.Null({ description: 'A notification was taken; it has no answer.' }),
        },
      },
      // The protocol writes its own answers.
      serializerCompiler: () => (data) => JSON.stringify(data),
    },
    async (request, reply) => {
      requireOwnOrigin(request, publicUrl)
      requireFewMessages(request.body)
      const session = sessionOf(request)
      cancelCall(request.body, (id) => session !== undefined && running.cancel(session, id))
      const caller: Caller = { api: askAs(request, app), closing: app.closing, session }
      const response = await handler.fetch(toWebRequest(request, reply), {
        parsedBody: request.body,
        authInfo: { token: '', clientId: request.principal.id ?? '', scopes: [], extra: { caller } },
      })
      // It names the client in what it sends later. Nothing is kept under it.
      if (isHandshake(request.body)) reply.header(sessionHeader, randomUUID())
      return sendResponse(reply, response)
    },
  )
}

function requireOwnOrigin({ headers, host }: FastifyRequest, publicUrl: string | undefined): void {
  if (isOwnOrigin({ origin: headers.origin, host, publicUrl })) return
  throw kernelFailure('permission_denied', { message: 'Pages of other sites may not call this address.' })
}

function requireFewMessages(body: unknown): void {
  if (!Array.isArray(body) || body.length <= mostMessages) return
  throw kernelFailure('invalid_input', { message: `More than ${mostMessages} messages were sent together.` })
}

/** Numbers of calls are the client's own, and a session anybody can write: together with the account they are nobody else's. */
function sessionOf({ headers, principal }: FastifyRequest): string | undefined {
  const session = headers[sessionHeader]
  return typeof session === 'string' ? `${principal.id} ${session}` : undefined
}

interface Message {
  readonly method?: unknown
  readonly params?: { readonly requestId?: unknown } | null
}

function messagesIn(body: unknown): readonly Message[] {
  return [body].flat().filter((part): part is Message => typeof part === 'object' && part !== null)
}

function isHandshake(body: unknown): boolean {
  return messagesIn(body).some(({ method }) => method === 'initialize')
}

function cancelCall(body: unknown, cancel: (requestId: unknown) => void): void {
  for (const { method, params } of messagesIn(body)) {
    if (method === 'notifications/cancelled') cancel(params?.requestId)
  }
}

/** The same request for a handler of the web's kind, with a signal for the client that leaves. */
function toWebRequest(request: FastifyRequest, reply: FastifyReply): Request {
  const left = new AbortController()
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    for (const one of [value ?? []].flat()) headers.append(name, one)
  }
  const asked = new Request('http://localhost/mcp', {
    method: 'POST',
    headers,
    body: JSON.stringify(request.body),
    signal: left.signal,
  })
  // It is named here so that it is kept: a request that nobody holds any more does not pass its signal on.
  reply.raw.once('close', () => asked.signal.aborted || left.abort())
  return asked
}
