import {
  type CallToolResult,
  fromJsonSchema,
  type JsonSchemaType,
  McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Logger } from '#kernel/telemetry'
import { type PublicApi, Refusal } from '../public-api.ts'
import type { Progress, Tool } from '../tools/tool.ts'
import type { RunningCalls } from './running-calls.ts'

/** Who calls, and what is known of the connection. */
export interface Caller {
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
export function createToolServers({ tools, running, version, log }: ToolServerOptions) {
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
