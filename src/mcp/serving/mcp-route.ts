import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import {
  type CallToolResult,
  createMcpHandler,
  fromJsonSchema,
  type JsonSchemaType,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import type { Logger } from '#kernel/telemetry'
import { askAs, type PublicApi, Refusal } from '../public-api.ts'
import type { McpOptions } from '../route-options.ts'
import { createExecutionTools } from '../tools/execution-tools.ts'
import { getFlow, listFlows } from '../tools/flow-tools.ts'
import { listModels } from '../tools/model-tools.ts'
import type { Progress, Tool } from '../tools/tool.ts'
import { createRunningCalls, type RunningCalls } from './running-calls.ts'

/** More than any client sends together. */
const maxMessages = 50
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
  if (!Array.isArray(body) || body.length <= maxMessages) return
  throw kernelFailure('invalid_input', { message: `More than ${maxMessages} messages were sent together.` })
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

/** Sends an answer of the web's kind; a stream goes out as it comes, and ends when the client leaves. */
function sendResponse(reply: FastifyReply, response: Response): FastifyReply {
  reply.code(response.status)
  for (const [name, value] of response.headers) reply.header(name, value)
  reply.header('cache-control', 'no-store').header('x-accel-buffering', 'no')
  if (response.body === null) return reply.send()
  return reply.send(Readable.fromWeb(response.body))
}

interface Asked {
  /** As browsers send it; programs send none. */
  readonly origin: string | undefined
  /** As the caller wrote it. */
  readonly host: string
  readonly publicUrl: string | undefined
}

/**
 * Whether a page of ours asks, or a program. A name can be made to lead to this machine, so without a public address only pages
 * under an address of numbers or `localhost` are believed to be ours.
 */
export function isOwnOrigin({ origin, host, publicUrl }: Asked): boolean {
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const asked = new URL(origin)
  if (publicUrl !== undefined && asked.origin === new URL(publicUrl).origin) return true
  return asked.host === host && isUnmistakable(asked.hostname)
}

function isUnmistakable(hostname: string): boolean {
  return hostname === 'localhost' || hostname.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(hostname)
}

/** Who calls, and what is known of the connection. */
interface Caller {
  readonly api: PublicApi
  readonly closing: AbortSignal
  /** Tells callers apart who have the same numbers for their calls; undefined when it cannot be told. */
  readonly session: string | undefined
}

interface ToolServerOptions {
  readonly tools: readonly Tool[]
  readonly running: RunningCalls
  readonly version: string
  readonly log: Logger
}

const instructions = `Tutti runs flows: multi-step AI workflows with budgets.
Find a flow with list_flows, see what it needs with get_flow, run it with run_flow.
A run that takes longer than you wait goes on: read it with get_execution, or end it with cancel_execution.
Runs cost money on the account of the key that calls.`

/** Makes a server for one exchange with a client. What tools are is prepared once. */
function createToolServers({ tools, running, version, log }: ToolServerOptions) {
  const prepared = tools.map((tool) => ({ tool, config: configOf(tool) }))

  async function answer(
    tool: Tool,
    caller: Caller,
    given: unknown,
    { mcpReq }: ServerContext,
  ): Promise<CallToolResult> {
    using call = caller.session === undefined ? undefined : running.begin(caller.session, mcpReq.id)
    const cancelled = call === undefined ? mcpReq.signal : AbortSignal.any([mcpReq.signal, call.signal])
    const { _meta: wishes } = mcpReq
    const token = wishes?.progressToken
    try {
      const result = await tool.run(given as Record<string, unknown>, {
        api: caller.api,
        cancelled,
        closing: caller.closing,
        async tell(progress: Progress) {
          if (token === undefined || cancelled.aborted) return
          const params = { progressToken: token, ...progress }
          // Whoever has left need not be told.
          await mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
        },
      })
      return {
        content: [{ type: 'text', text: JSON.stringify(result, null, 2) }],
        structuredContent: result,
      }
    } catch (error) {
      if (error instanceof Refusal) return refuse(error.message)
      log.error({ err: error, tool: tool.name }, 'a tool failed')
      return refuse('INTERNAL_ERROR: Something went wrong on our side. Try again shortly.')
    }
  }

  return (caller: Caller): McpServer => {
    const server = new McpServer(
      { name: 'tutti', title: 'Tutti', version },
      { capabilities: { tools: { listChanged: false } }, instructions },
    )
    for (const { tool, config } of prepared) {
      server.registerTool(tool.name, config, (given, context) => answer(tool, caller, given, context))
    }
    return server
  }
}

function refuse(text: string): CallToolResult {
  return { content: [{ type: 'text', text }], isError: true }
}

function configOf({ title, description, input, output, readOnly, idempotent }: Tool) {
  return {
    title,
    description,
    inputSchema: fromJsonSchema(input as JsonSchemaType),
    outputSchema: fromJsonSchema(output as JsonSchemaType),
    annotations: {
      title,
      readOnlyHint: readOnly,
      destructiveHint: false,
      idempotentHint: idempotent,
      openWorldHint: !readOnly,
    },
  }
}
