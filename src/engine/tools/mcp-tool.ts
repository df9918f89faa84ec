import type { JsonSchema, Tool, ToolCall, ToolResult } from './tool.ts'

/** The clients of MCP servers, which another module has. */
interface McpTools {
  /** The tools of a server that flows may call; a reason when there are none. */
  listTools(server: string): Promise<{ readonly tools: readonly ListedTool[]; readonly problem?: string }>
  /** A failure of the tool, the server or the connection is a result. Throws the reason of the signal. */
  callTool(
    call: ToolCall & {
      readonly server: string
      readonly tool: string
      readonly arguments: Readonly<Record<string, unknown>>
      readonly timeoutMs: number
    },
  ): Promise<ToolResult>
}

interface ListedTool {
  readonly name: string
  readonly description: string | null
  readonly inputSchema: JsonSchema
}

interface McpToolsOptions {
  readonly server: string
  /** The names of the tools; undefined: all of them. */
  readonly names?: readonly string[] | undefined
  readonly clients: McpTools
}

const mcpTimeoutMs = 120_000

/** Providers allow letters, digits, hyphens and underscores in the names of tools, up to this length. */
const maxNameLength = 64

/** The tools of a server, and what is missing. Throws when the list cannot be read. */
export async function findMcpTools({
  server,
  names,
  clients,
}: McpToolsOptions): Promise<{ readonly tools: readonly Tool[]; readonly problems: readonly string[] }> {
  const { tools: listed, problem } = await clients.listTools(server)
  const wanted = names === undefined ? listed : listed.filter(({ name }) => names.includes(name))
  const missing = (names ?? []).filter((name) => !listed.some((tool) => tool.name === name))
  const problems =
    problem === undefined
      ? missing.map((name) => `The MCP server "${server}" has no tool "${name}".`)
      : [problem]
  return { tools: wanted.map((tool) => createMcpTool(server, tool, clients)), problems }
}

function createMcpTool(
  server: string,
  { name, description, inputSchema }: ListedTool,
  clients: McpTools,
): Tool {
  return {
    name: name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, maxNameLength),
    description: description ?? '',
    parameters: inputSchema,
    timeoutMs: mcpTimeoutMs,
    call: (given, context) =>
      clients.callTool({ ...context, server, tool: name, arguments: given, timeoutMs: mcpTimeoutMs }),
  }
}
