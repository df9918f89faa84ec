import type { CallToolResult } from '@modelcontextprotocol/client'
import type { Database } from '#kernel/database'
import type { Encryption } from '#kernel/encryption'
import { Failure } from '#kernel/errors'
import type { Outbound } from '#kernel/outbound'
import type { StatusSettings } from '../../settings.ts'
import type { McpConnection } from '../connection/connect.ts'
import { ConnectionFailure } from '../connection/connection-failure.ts'
import { decryptSecrets } from '../mcp-servers.ts'
import { stdioIsOff } from '../read-transport.ts'
import type { McpServerRow } from '../server.ts'
import { findServer } from '../store.ts'
import { createConnections } from './connections.ts'
import { describeResult } from './describe-result.ts'

interface McpClientsOptions {
  readonly database: Database
  readonly encryption: Encryption
  readonly outbound: Outbound
  readonly settings: Pick<StatusSettings, 'mcpStdio'>
  readonly version: string
  /** Default: 30 s. */
  readonly idleMs?: number
}

/** A tool that flows may call. */
export interface CallableTool {
  readonly name: string
  readonly description: string | null
  /** The JSON schema of its arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>
}

export interface McpToolCall {
  /** The name of a registered server. */
  readonly server: string
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** Calls of one execution share a connection. */
  readonly executionId: string
  readonly accountId: string
  /** The same for each attempt of a call, so that the server can recognise a repetition. */
  readonly idempotencyKey: string
  /** For the connection and the call together. Default: two minutes. */
  readonly timeoutMs?: number | undefined
  readonly signal: AbortSignal
}

/** The result of a call, without the secrets of the server. */
export interface McpToolResult {
  readonly text: string
  /** The tool, the server or the connection failed; `text` says how. */
  readonly isError: boolean
}

/** Calls the tools of registered MCP servers that allow flows. */
export interface McpClients extends AsyncDisposable {
  /** The tools of a server that flows may call, as its last probe has found them; a reason when there are none. Throws when the database cannot be read. */
  listTools(server: string): Promise<{ readonly tools: readonly CallableTool[]; readonly problem?: string }>
  /** Calls a tool. A failure is a result with `isError`. Throws the reason of the signal, and when the database cannot be read. */
  callTool(call: McpToolCall): Promise<McpToolResult>
}

const defaultTimeoutMs = 120_000
const defaultIdleMs = 30_000

/** The field of the protocol for the key; a server that does not know it ignores it. */
const idempotencyField = 'tutti/idempotency-key'

/** Creates the clients of MCP servers. Dispose of the result to close their connections and end their programs. */
export function createMcpClients(options: McpClientsOptions): McpClients {
  const { database, encryption, outbound, version, settings, idleMs = defaultIdleMs } = options
  const connections = createConnections({ idleMs })

  async function connectTo(row: McpServerRow, { accountId, timeoutMs, signal }: McpToolCall) {
    // Loads the library of the protocol with the first call: most installations have no MCP server.
    const { connect } = await import('../connection/connect.ts')
    return await connect({
      transport: row.transport,
      secrets: await decryptSecrets(encryption, row),
      outbound,
      account: accountId,
      timeoutMs: timeoutMs ?? defaultTimeoutMs,
      signal,
      version,
    }).catch((error: unknown) => {
      // Another call of the execution may wait for this connection, and its signal is not aborted.
      throw signal.aborted ? new ConnectionFailure('The connection was stopped.') : error
    })
  }

  /** Why flows cannot use a server; undefined when they can. */
  function problemOf(name: string, row: McpServerRow | undefined): string | undefined {
    if (row === undefined) return `There is no MCP server "${name}".`
    if (!row.allowFlows)
      return `Flows may not call the MCP server "${name}". An administrator can allow it with allow_flows.`
    if (!row.enabled) return `The MCP server "${name}" is disabled.`
    return row.transport.type === 'stdio' && !settings.mcpStdio ? stdioIsOff : undefined
  }

  return {
    async listTools(server) {
      const row = await findServer(database, server)
      const problem = problemOf(server, row)
      if (row === undefined || problem !== undefined)
        return { tools: [], ...(problem !== undefined && { problem }) }
      const tools = row.tools.flatMap(({ name, description, inputSchema }) =>
        inputSchema == null ? [] : [{ name, description, inputSchema }],
      )
      if (tools.length > 0) return { tools }
      const reason = row.error ?? (row.seenAt === null ? 'it has not been checked yet' : 'it lists none')
      return { tools, problem: `The MCP server "${server}" has no tools that flows can call: ${reason}.` }
    },

    async callTool(call) {
      const startedAt = performance.now()
      const { server, executionId, accountId, timeoutMs = defaultTimeoutMs, signal } = call
      signal.throwIfAborted()
      const row = await findServer(database, server)
      const problem = problemOf(server, row)
      if (row === undefined || problem !== undefined) return failed(problem ?? '')
      const key = `${executionId}/${row.id}/${row.revision}`
      try {
        await using lease = await connections.lease({ key, accountId }, () => connectTo(row, call))
        if (lease === undefined)
          return failed('Too many connections to MCP servers are open. Try again later.')
        const leftMs = Math.max(1, timeoutMs - (performance.now() - startedAt))
        return await send(lease.connection, call, leftMs)
      } catch (error) {
        signal.throwIfAborted()
        // A ConnectionFailure of the server, or stored values that cannot be decrypted.
        if (error instanceof ConnectionFailure || error instanceof Failure) return failed(error.message)
        throw error
      }
    },

    [Symbol.asyncDispose]: () => connections[Symbol.asyncDispose](),
  }
}

function failed(text: string): McpToolResult {
  return { text, isError: true }
}

async function send(connection: McpConnection, call: McpToolCall, timeoutMs: number): Promise<McpToolResult> {
  const params = {
    name: call.tool,
    arguments: { ...call.arguments },
    _meta: { [idempotencyField]: call.idempotencyKey },
  }
  const result: CallToolResult = await connection.request(
    'tools/call',
    { timeoutMs, signal: call.signal },
    (client, sending) => client.callTool(params, sending),
  )
  return { text: connection.redact(describeResult(result)), isError: result.isError === true }
}
