import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import { disabledTracing } from '#kernel/telemetry'
import { createPublicApi } from './public-api.ts'
import type { McpOptions } from './route-options.ts'
import type { Caller, RunningCalls, ToolHandler } from './tool-handler.ts'
import { createExecutionTools } from './tools/execution-tools.ts'
import { getFlow, listFlows, listModels } from './tools/flow-tools.ts'
import { answerHumanTask, listHumanTasks } from './tools/human-task-tools.ts'
import type { Tool } from './tools/tool.ts'

/** The maximum size of a JSON-RPC batch; clients send fewer. */
const maxMessages = 50
const sessionHeader = 'mcp-session-id'

const about = `Streamable HTTP of the Model Context Protocol, without sessions: every revision from 2024-11-05 to 2026-07-28. Configure an MCP client with this
URL and an API key, an access token or an OAuth token as \`Authorization: Bearer\`. Tools: \`list_flows\`, \`get_flow\`, \`run_flow\`, \`get_execution\`,
\`cancel_execution\`, \`list_human_tasks\`, \`answer_human_task\`, \`list_models\`; each has the permissions of its caller and counts against the limits and budgets of the public APIs.`

/** The MCP endpoint. */
export function addMcpRoute(routes: HttpServer, app: HttpServer, options: McpOptions): void {
  const { version, publicUrl, log, tracing = disabledTracing() } = options
  const running = createRunningCalls()
  const tools: readonly Tool[] = [
    listFlows,
    getFlow,
    ...createExecutionTools(options),
    listHumanTasks,
    answerHumanTask,
    listModels,
  ]
  let handler: Promise<ToolHandler> | undefined
  // The MCP library is a tenth of the work of a start, so the first request loads it.
  async function loadHandler(): Promise<ToolHandler> {
    const { createToolHandler } = await import('./tool-handler.ts')
    return createToolHandler({ tools, running, version, log, tracing })
  }

  routes.post(
    '/mcp',
    {
      config: { access: { signedIn: true, anyScope: true } },
      schema: {
        operationId: 'callMcp',
        summary: 'Send an MCP message',
        description: about.replaceAll('\n', ' '),
        body: Type.Unknown({ description: 'A JSON-RPC message.' }),
        response: {
          200: {
            description: 'The response, or a stream that ends with it.',
            content: {
              'application/json': { schema: Type.Unknown() },
              'text/event-stream': { schema: Type.String() },
            },
          },
          202: Type.Null({ description: 'A notification was accepted. It has no response.' }),
        },
      },
      // The MCP library builds the response.
      serializerCompiler: () => (data) => JSON.stringify(data),
    },
    async (request, reply) => {
      requireOwnOrigin(request, publicUrl)
      requireFewMessages(request.body)
      const session = sessionOf(request)
      cancelCall(request.body, (id) => session !== undefined && running.cancel(session, id))
      const caller: Caller = { api: createPublicApi(request, app), closing: app.closing, session }
      handler ??= loadHandler()
      const response = await (await handler).fetch(toWebRequest(request, reply), {
        parsedBody: request.body,
        authInfo: { token: '', clientId: request.principal.id ?? '', scopes: [], extra: { caller } },
      })
      // The client sends the id with later messages. No state is stored for it.
      if (isHandshake(request.body)) reply.header(sessionHeader, randomUUID())
      return sendResponse(reply, response)
    },
  )
}

function requireOwnOrigin({ headers, host }: FastifyRequest, publicUrl: string | undefined): void {
  if (isOwnOrigin({ origin: headers.origin, host, publicUrl })) return
  throw kernelFailure('permission_denied', { message: 'Pages of other sites may not call this endpoint.' })
}

function requireFewMessages(body: unknown): void {
  if (!Array.isArray(body) || body.length <= maxMessages) return
  throw kernelFailure('invalid_input', { message: `A batch can contain at most ${maxMessages} messages.` })
}

/** Clients choose request ids and can send any session id, so a call is identified together with the account. */
function sessionOf({ headers, principal }: FastifyRequest): string | undefined {
  const session = headers[sessionHeader]
  return typeof session === 'string' ? `${principal.id} ${session}` : undefined
}

interface JsonRpcMessage {
  readonly method?: unknown
  readonly params?: { readonly requestId?: unknown } | null
}

function messagesOf(body: unknown): readonly JsonRpcMessage[] {
  return [body].flat().filter((part): part is JsonRpcMessage => typeof part === 'object' && part !== null)
}

function isHandshake(body: unknown): boolean {
  return messagesOf(body).some(({ method }) => method === 'initialize')
}

function cancelCall(body: unknown, cancel: (requestId: unknown) => void): void {
  for (const { method, params } of messagesOf(body)) {
    if (method === 'notifications/cancelled') cancel(params?.requestId)
  }
}

/** Converts the request for a Fetch API handler, with a signal that aborts when the client disconnects. */
function toWebRequest(request: FastifyRequest, reply: FastifyReply): Request {
  const disconnected = new AbortController()
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    for (const part of [value ?? []].flat()) headers.append(name, part)
  }
  const webRequest = new Request('http://localhost/mcp', {
    method: 'POST',
    headers,
    body: JSON.stringify(request.body),
    signal: disconnected.signal,
  })
  // The listener references the request on purpose: a garbage-collected request does not forward its signal.
  reply.raw.once('close', () => webRequest.signal.aborted || disconnected.abort())
  return webRequest
}

/** Sends a Fetch API response; a stream is forwarded and ends when the client disconnects. */
function sendResponse(reply: FastifyReply, response: Response): FastifyReply {
  reply.code(response.status)
  for (const [name, value] of response.headers) reply.header(name, value)
  reply.header('cache-control', 'no-store').header('x-accel-buffering', 'no')
  if (response.body === null) return reply.send()
  return reply.send(Readable.fromWeb(response.body))
}

interface OriginCheck {
  /** The Origin header; only browsers send it. */
  readonly origin: string | undefined
  /** The Host header. */
  readonly host: string
  readonly publicUrl: string | undefined
}

/**
 * Whether the request comes from a page of this server or from a program. Protects against DNS rebinding: without a
 * public URL, only IP addresses and `localhost` are trusted as the host of our own pages.
 */
export function isOwnOrigin({ origin, host, publicUrl }: OriginCheck): boolean {
  if (origin === undefined) return true
  if (!URL.canParse(origin)) return false
  const page = new URL(origin)
  if (publicUrl !== undefined && page.origin === new URL(publicUrl).origin) return true
  return page.host === host && isLiteralHost(page.hostname)
}

function isLiteralHost(hostname: string): boolean {
  return hostname === 'localhost' || hostname.startsWith('[') || /^\d+(?:\.\d+){3}$/.test(hostname)
}

/**
 * Up to the 2025 revision of the protocol, a client cancels a call with a message in a separate request, so running calls
 * are registered here. From 2026 on a client cancels by disconnecting.
 */
function createRunningCalls(): RunningCalls {
  const running = new Map<string, AbortController>()
  return {
    begin(session, requestId) {
      const key = keyOf(session, requestId)
      const call = new AbortController()
      running.set(key, call)
      return {
        signal: call.signal,
        [Symbol.dispose]() {
          if (running.get(key) === call) running.delete(key)
        },
      }
    },
    cancel(session, requestId) {
      running.get(keyOf(session, requestId))?.abort()
    },
  }
}

function keyOf(session: string, requestId: unknown): string {
  return JSON.stringify([session, requestId])
}
