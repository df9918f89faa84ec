import { failed, type JsonSchema, type Tool, type ToolCall, type ToolResult } from './tool.ts'

/** The clients of MCP servers, which another module has. */
export interface McpTools {
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
const maxDescriptionLength = 2000

/** The tools of a server, and what is missing. Throws when the list cannot be read. */
export async function findMcpTools({
  server,
  names,
  clients,
}: McpToolsOptions): Promise<{ readonly tools: readonly FoundTool[]; readonly problems: readonly string[] }> {
  const { tools: listed, problem } = await clients.listTools(server)
  const wanted = names === undefined ? listed : listed.filter(({ name }) => names.includes(name))
  const missing = (names ?? []).filter((name) => !listed.some((tool) => tool.name === name))
  const problems =
    problem === undefined
      ? missing.map((name) => `The MCP server "${server}" has no tool "${name}".`)
      : [problem]
  const tools = wanted.map(({ name, description, inputSchema }) => ({
    name: name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, maxNameLength),
    description: (description ?? '').slice(0, maxDescriptionLength),
    parameters: inputSchema,
    tool: name,
  }))
  return { tools, problems }
}

/** A tool of a server, under a name that providers of models allow. */
export interface FoundTool {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
  /** Its name at the server. */
  readonly tool: string
}

/** Creates a tool that calls a tool of a server. */
export function createMcpTool(
  { server, tool, ...shown }: FoundTool & { readonly server: string },
  clients: McpTools | undefined,
): Tool {
  const { name, description, parameters } = shown
  return {
    name,
    description,
    parameters,
    timeoutMs: mcpTimeoutMs,
    call: async (given, context) =>
      clients === undefined
        ? failed(`There is no MCP server "${server}".`)
        : await clients.callTool({ ...context, server, tool, arguments: given, timeoutMs: mcpTimeoutMs }),
  }
}
