import type { Outbound } from '#kernel/outbound'
import type { AgentTool, BuiltinName, HttpAgentTool } from '../definition/kinds/agent-tools.ts'
import { type BuiltinServices, builtinTool, noSearch } from './builtin-tools.ts'
import { createHttpTool, type HttpOperation } from './http-tool.ts'
import { createMcpTool, findMcpTools, type McpTools } from './mcp-tool.ts'
import { failed, type JsonSchema, type Tool, usualTimeoutMs } from './tool.ts'

/** A tool as an agent offers it to its model. It is JSON, and stored when the agent starts: later it cannot change. */
export interface OfferedTool {
  readonly name: string
  readonly description: string
  readonly parameters: JsonSchema
  /** `never`, `always`, or an expression over its arguments. */
  readonly approval: string
  readonly source: ToolSource
}

/** What a call of a tool does. */
type ToolSource =
  | { readonly type: 'http'; readonly operation: HttpOperation; readonly connection: string | null }
  | { readonly type: 'mcp'; readonly server: string; readonly tool: string }
  /** Not called by a tool: the steps of the flow run in a scope of their own. */
  | { readonly type: 'flow'; readonly flow: string; readonly version: number | null }
  | { readonly type: 'builtin'; readonly name: BuiltinName }

/** With the tools of MCP servers. */
const maxOffered = 128

interface Offer {
  readonly tools: readonly OfferedTool[]
  /** Why tools are missing. */
  readonly problems: readonly string[]
}

/** The tools of an agent, with those that MCP servers list. Throws when the database cannot be read. */
export async function offerTools(written: readonly AgentTool[], services: OfferServices): Promise<Offer> {
  const offers = await Promise.all(written.map((tool) => offerOf(tool, services)))
  const tools = new Map<string, OfferedTool>()
  const problems = offers.flatMap((offer) => offer.problems)
  for (const tool of offers.flatMap((offer) => offer.tools)) {
    if (tools.has(tool.name))
      problems.push(`Several tools have the name "${tool.name}"; the first one is used.`)
    else if (tools.size >= maxOffered)
      problems.push(`The tool "${tool.name}" is left out: an agent has at most ${maxOffered} tools.`)
    else tools.set(tool.name, tool)
  }
  return { tools: [...tools.values()], problems }
}

async function offerOf(tool: AgentTool, services: OfferServices): Promise<Offer> {
  const { approval = 'never' } = tool
  switch (tool.type) {
    case 'builtin': {
      const builtin = builtinTool(tool.name, services)
      if (builtin === undefined) return { tools: [], problems: [noSearch] }
      const { name, description, parameters } = builtin
      return {
        tools: [{ name, description, parameters, approval, source: { type: 'builtin', name: tool.name } }],
        problems: [],
      }
    }
    case 'flow': {
      const { name, description, flow, flow_version: version = null, parameters = onlyContent } = tool
      const source = { type: 'flow', flow, version } as const
      return { tools: [{ name, description, parameters, approval, source }], problems: [] }
    }
    case 'http': {
      const operation = operationOf(tool)
      if (operation === undefined)
        return {
          tools: [],
          problems: [`The OpenAPI operation of the tool "${tool.name}" was not read. Save the flow again.`],
        }
      const description = tool.description ?? tool.openapi?.resolved?.description ?? ''
      const source = { type: 'http', operation, connection: tool.connection ?? null } as const
      const { name } = tool
      return {
        tools: [{ name, description, parameters: operation.parameters, approval, source }],
        problems: [],
      }
    }
    default: {
      const { server } = tool
      const { clients } = services
      if (clients === undefined) return { tools: [], problems: [`There is no MCP server "${server}".`] }
      const { tools, problems } = await findMcpTools({ server, names: tool.tools, clients })
      return {
        tools: tools.map(({ tool: original, ...listed }) => ({
          ...listed,
          approval,
          source: { type: 'mcp', server, tool: original },
        })),
        problems,
      }
    }
  }
}

const noArguments: JsonSchema = { type: 'object', properties: {}, additionalProperties: false }

/** The arguments of a flow that describes none. */
const onlyContent: JsonSchema = {
  type: 'object',
  properties: { content: { type: 'string', description: 'The content that the flow processes.' } },
  required: ['content'],
  additionalProperties: false,
}

function operationOf(tool: HttpAgentTool): HttpOperation | undefined {
  if (tool.openapi !== undefined) {
    const { resolved } = tool.openapi
    if (resolved === undefined) return undefined
    const { source: _source, description: _description, ...operation } = resolved
    return operation
  }
  const { url = '', method, parameters = noArguments, query, headers, body } = tool
  return { method: method ?? (body === undefined ? 'GET' : 'POST'), url, parameters, query, headers, body }
}

/** What the list of tools needs. */
export interface OfferServices extends BuiltinServices {
  readonly clients: McpTools | undefined
}

export interface ToolServices extends OfferServices {
  /** Sends a request with the credentials of a connection. */
  readonly requestWith: (connection: string) => Outbound['request']
}

/** The tool that an offered tool calls. Throws for a flow, whose steps run in a scope of their own. */
export function connectTool(
  { name, description, parameters, source }: OfferedTool,
  services: ToolServices,
): Tool {
  const { outbound, clients, requestWith } = services
  switch (source.type) {
    case 'http': {
      const { operation, connection } = source
      const through = connection === null ? outbound : { request: requestWith(connection) }
      return createHttpTool({ name, description, operation, outbound: through })
    }
    case 'mcp':
      return createMcpTool({ name, description, parameters, ...source }, clients)
    case 'flow':
      throw new Error(`the flow of the tool "${name}" is not called as a tool`)
    default:
      return (
        builtinTool(source.name, services) ?? {
          name,
          description,
          parameters,
          timeoutMs: usualTimeoutMs,
          call: async () => failed(noSearch),
        }
      )
  }
}
