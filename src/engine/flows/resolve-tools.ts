import { Failure, type Problem } from '#kernel/errors'
import type { Outbound } from '#kernel/outbound'
import type { FlowDefinition } from '../definition/flow.ts'
import type { AgentTool, HttpAgentTool } from '../definition/kinds/agent-tools.ts'
import { mapSteps, placedSteps } from '../definition/nested-steps.ts'
import type { Step, ToolAgentStep } from '../definition/step-types.ts'
import type { StepExecutorOptions } from '../steps/run-step.ts'
import { noSearch } from '../tools/builtin-tools.ts'
import { findMcpTools } from '../tools/mcp-tool.ts'
import { fetchDocument, OpenApiProblem, resolveOperation } from '../tools/openapi-tool.ts'

/** A flow whose tools have all that executions need. */
interface ResolvedFlow {
  readonly definition: FlowDefinition
  readonly problems: readonly Problem[]
}

/** Reads the OpenAPI operations that the tools of a flow name. Throws when the platform cannot make requests at all. */
export type ResolveTools = (definition: FlowDefinition, accountId: string | null) => Promise<ResolvedFlow>

/** Different documents of one flow: each is a request when the flow is saved. */
const maxDocuments = 10

type Located = HttpAgentTool & { readonly openapi: NonNullable<HttpAgentTool['openapi']> }

/** An operation that was read from the same place is kept, so that saving a flow again changes nothing. */
function needsReading(tool: AgentTool): tool is Located {
  return (
    tool.type === 'http' &&
    tool.openapi !== undefined &&
    tool.openapi.resolved?.source !== sourceOf(tool.openapi)
  )
}

function sourceOf({ url, operation }: Pick<Located['openapi'], 'url' | 'operation'>): string {
  return `${url}#${operation}`
}

/**
 * Creates the function that completes the tools of a flow when it is saved: executions never read an OpenAPI document, so a changed document
 * does not change a saved flow.
 */
export function createToolResolver({
  outbound,
}: {
  readonly outbound: Pick<Outbound, 'request'>
}): ResolveTools {
  return async (definition, accountId) => {
    const wanted = placedSteps(definition.steps).flatMap(({ step, path }) =>
      toolsOf(step).flatMap((tool, index) =>
        needsReading(tool) ? [{ tool, path: `${path}.tools[${index}].openapi` }] : [],
      ),
    )
    if (wanted.length === 0) return { definition, problems: [] }
    const documents = new Map<string, Promise<unknown>>()
    const read = (url: string) => {
      const known = documents.get(url)
      if (known !== undefined) return known
      if (documents.size >= maxDocuments)
        throw new OpenApiProblem(`is one of more than ${maxDocuments} documents of the flow`)
      const reading = fetchDocument(url, { outbound, accountId: accountId ?? '' })
      documents.set(url, reading)
      return reading
    }
    const problems: Problem[] = []
    const resolved = new Map<AgentTool, AgentTool>()
    await Promise.all(
      wanted.map(async ({ tool, path }) => {
        try {
          const { openapi } = tool
          const operation = resolveOperation(await read(openapi.url), openapi)
          const source = sourceOf(openapi)
          resolved.set(tool, {
            ...tool,
            openapi: { ...openapi, resolved: asWritten({ ...operation, source }) },
          })
        } catch (error) {
          if (!(error instanceof OpenApiProblem) && !(error instanceof Failure)) throw error
          const message = error instanceof Failure ? `cannot be read: ${error.message}` : error.message
          problems.push({ path, message, code: 'openapi' })
        }
      }),
    )
    const steps = mapSteps(definition.steps, (step) =>
      step.type === 'tool_agent'
        ? { ...step, tools: step.tools.map((tool) => resolved.get(tool) ?? tool) }
        : step,
    )
    return { definition: { ...definition, steps }, problems }
  }
}

type Resolved = NonNullable<Located['openapi']['resolved']>

/** Without fields that are undefined, which JSON does not have. */
function asWritten(
  operation: { readonly [Name in keyof Resolved]?: Resolved[Name] | undefined | readonly string[] },
): Resolved {
  return JSON.parse(JSON.stringify(operation)) as Resolved
}

function toolsOf(step: Step): ToolAgentStep['tools'] {
  return step.type === 'tool_agent' ? step.tools : []
}

/** Warns about MCP servers and tools that agents could not use now. Throws when the database cannot be read. */
export async function findToolWarnings(
  steps: readonly Step[],
  { mcpTools: clients, searchUrl }: Partial<Pick<StepExecutorOptions, 'mcpTools' | 'searchUrl'>>,
): Promise<Problem[]> {
  const warnings: Problem[] = []
  for (const { step, path } of placedSteps(steps)) {
    for (const [index, tool] of toolsOf(step).entries()) {
      if (tool.type === 'builtin' && tool.name === 'search' && searchUrl === undefined)
        warnings.push({ path: `${path}.tools[${index}].name`, message: noSearch, code: 'tool_not_available' })
      if (tool.type !== 'mcp' || clients === undefined) continue
      const { problems } = await findMcpTools({ server: tool.server, names: tool.tools, clients })
      const place = `${path}.tools[${index}].server`
      warnings.push(...problems.map((message) => ({ path: place, message, code: 'tool_not_available' })))
    }
  }
  return warnings
}
