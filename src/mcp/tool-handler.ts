import {
  type CallToolResult,
  createMcpHandler,
  fromJsonSchema,
  type JsonSchemaType,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Logger, Tracing } from '#kernel/telemetry'
import { type PublicApi, ToolError } from './public-api.ts'
import type { Progress, Tool } from './tools/tool.ts'

/** The caller of a tool and its connection. */
export interface Caller {
  readonly api: PublicApi
  readonly closing: AbortSignal
  /** Distinguishes clients that use the same request ids; undefined when the client sent no session id. */
  readonly session: string | undefined
}

/** The tool calls that are running in this process, by session and request id. */
export interface RunningCalls {
  /** Registers a call; the signal aborts when the client cancels it. */
  begin(session: string, requestId: string | number): Disposable & { readonly signal: AbortSignal }
  /** Cancels a call, if it is running in this process. */
  cancel(session: string, requestId: unknown): void
}

interface ToolServerOptions {
  readonly tools: readonly Tool[]
  readonly running: RunningCalls
  readonly version: string
  readonly log: Logger
  readonly tracing: Tracing
}

const instructions = `Tutti runs flows: multi-step AI workflows with budgets.
Find a flow with list_flows, read its required inputs with get_flow, run it with run_flow.
An execution that takes longer than you wait continues: read it with get_execution, or cancel it with cancel_execution.
Executions cost money and are charged to the account of the API key.`

/** Handles MCP messages, as a function of the Fetch API. */
export type ToolHandler = ReturnType<typeof createMcpHandler>

/** Creates the handler of all MCP requests. The caller of a request is in `extra.caller` of its authentication. */
export function createToolHandler(options: ToolServerOptions): ToolHandler {
  const serverFor = createToolServers(options)
  return createMcpHandler(({ authInfo }) => serverFor(authInfo?.extra?.['caller'] as Caller), {
    // The list of tools never changes, so there is nothing to subscribe to.
    maxSubscriptions: 0,
    onerror: (error) => options.log.debug({ err: error }, 'refused a message of an MCP client'),
  })
}

/** Returns a function that creates the server of one request. The tool schemas are prepared once. */
function createToolServers({ tools, running, version, log, tracing }: ToolServerOptions) {
  const prepared = tools.map((tool) => ({ tool, config: configOf(tool) }))

  async function callTool(
    tool: Tool,
    caller: Caller,
    given: unknown,
    { mcpReq }: ServerContext,
  ): Promise<CallToolResult> {
    using call = caller.session === undefined ? undefined : running.begin(caller.session, mcpReq.id)
    const cancelled = call === undefined ? mcpReq.signal : AbortSignal.any([mcpReq.signal, call.signal])
    const { _meta: metadata } = mcpReq
    const token = metadata?.progressToken
    try {
      const result = await tool.run(given as Record<string, unknown>, {
        api: caller.api,
        cancelled,
        closing: caller.closing,
        async reportProgress(progress: Progress) {
          if (token === undefined || cancelled.aborted) return
          const params = { progressToken: token, ...progress }
          // The client may have disconnected.
          await mcpReq.notify({ method: 'notifications/progress', params }).catch(() => {})
        },
      })
      return {
        content: [{ type: 'text', text: JSON.stringify(result, null, 2) }],
        structuredContent: result,
      }
    } catch (error) {
      if (error instanceof ToolError) return errorResult(error.message)
      log.error({ err: error, tool: tool.name }, 'an MCP tool failed')
      return errorResult('INTERNAL_ERROR: The platform failed to run the tool. Try again shortly.')
    }
  }

  function traceTool(tool: Tool, caller: Caller, given: unknown, context: ServerContext) {
    const attributes = {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': tool.name,
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': String(context.mcpReq.id),
    }
    return tracing.span(`execute_tool ${tool.name}`, { attributes }, async (span) => {
      const result = await callTool(tool, caller, given, context)
      if (result.isError === true) {
        span.setAttributes({ 'error.type': 'tool_error' })
        span.fail('the tool failed')
      }
      return result
    })
  }

  return (caller: Caller): McpServer => {
    const server = new McpServer(
      { name: 'tutti', title: 'Tutti', version },
      { capabilities: { tools: { listChanged: false } }, instructions },
    )
    for (const { tool, config } of prepared) {
      server.registerTool(tool.name, config, (given, context) => traceTool(tool, caller, given, context))
    }
    return server
  }
}

function errorResult(text: string): CallToolResult {
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
