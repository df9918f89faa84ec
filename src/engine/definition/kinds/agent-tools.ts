import { type Static, Type } from 'typebox'
import type { Problem } from '#kernel/errors'
import { oneLine } from '#kernel/http'
import { describeBadUrl } from '../../tools/http-tool.ts'
import { flowId } from '../values.ts'
import { redactAddress } from './call-credentials.ts'
import { checkExpression } from './check-values.ts'

/** Providers of models allow these characters in the names of tools. */
const toolName = (description: string) =>
  Type.String({
    pattern: '^[A-Za-z0-9_-]{1,64}$',
    'x-means': 'must be up to 64 letters, digits, hyphens and underscores',
    description,
  })

const approval = Type.Optional(
  Type.String({
    minLength: 1,
    maxLength: 4000,
    description:
      'Whether a person must approve a call before it is made: `never`, `always`, or an expression over its arguments, such as `arguments.amount > 100`. Default: `never`.',
  }),
)

const description = (text: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 2000, description: text }))

const JsonObject = (text: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>({
    type: 'object',
    additionalProperties: true,
    description: text,
  })

const argumentNames = (text: string) =>
  Type.Optional(
    Type.Array(Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' }), { maxItems: 50, description: text }),
  )

const method = Type.Enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], {
  description: 'The method of the request. Default: `GET`, or `POST` with a body.',
})

const requestParts = {
  query: argumentNames('Arguments that are added to the query of the URL. Default: none.'),
  headers: argumentNames('Arguments that are sent as headers of the same name. Default: none.'),
  body: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{1,64}$',
      description: 'The argument that is sent as the JSON body. Default: no body.',
    }),
  ),
}

const Resolved = Type.Object(
  {
    source: Type.String({ maxLength: 4000, description: 'The document and the operation it was read from.' }),
    method,
    url: Type.String({ minLength: 1, maxLength: 4000, description: 'The URL of the operation.' }),
    description: Type.String({ maxLength: 2000, description: 'What the operation does.' }),
    parameters: JsonObject('The JSON schema of the arguments.'),
    ...requestParts,
  },
  {
    additionalProperties: false,
    description:
      'The operation as it was read from the document when the flow was saved; executions use it. Remove it to read the document again.',
  },
)

const openapi = Type.Object(
  {
    url: Type.String({
      minLength: 1,
      maxLength: 2000,
      description: 'The URL of an OpenAPI document, version 3.0 or 3.1, as JSON or YAML.',
    }),
    operation: Type.String({
      minLength: 1,
      maxLength: 200,
      ...oneLine,
      description: 'The `operationId` of one of its operations.',
    }),
    resolved: Type.Optional(Resolved),
  },
  {
    additionalProperties: false,
    description: 'An operation of an OpenAPI document, in place of `method`, `url` and `parameters`.',
  },
)

const HttpTool = Type.Object(
  {
    type: Type.Literal('http', { description: 'A request to an HTTP API.' }),
    name: toolName('The name of the tool, which the model sees.'),
    description: description(
      'What the tool does and when to use it, for the model. Required without `openapi`.',
    ),
    method: Type.Optional(method),
    url: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 4000,
        description:
          'The URL. `{{arguments.name}}` in its path or query inserts an argument, encoded; the host is fixed.',
      }),
    ),
    parameters: Type.Optional(
      JsonObject('The JSON schema of the arguments, an object. Default: no arguments.'),
    ),
    ...requestParts,
    openapi: Type.Optional(openapi),
    connection: Type.Optional(
      Type.String({
        pattern: '^[a-z][a-z0-9_]{0,63}$',
        'x-means':
          'must be the name of a connection: a lower-case letter, then lower-case letters, digits and underscores',
        description:
          'The connection whose credentials the request gets. The model never sees them. Default: none.',
      }),
    ),
    approval,
  },
  { additionalProperties: false, description: 'A tool that calls an HTTP API.' },
)

const McpTool = Type.Object(
  {
    type: Type.Literal('mcp', { description: 'Tools of a registered MCP server.' }),
    server: Type.String({
      minLength: 1,
      maxLength: 200,
      ...oneLine,
      description: 'The name of a registered MCP server with `allow_flows`.',
    }),
    tools: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        minItems: 1,
        maxItems: 64,
        uniqueItems: true,
        description: 'The names of its tools that the agent may call. Default: all of them.',
      }),
    ),
    approval,
  },
  { additionalProperties: false, description: 'Tools of an MCP server.' },
)

const BuiltinTool = Type.Object(
  {
    type: Type.Literal('builtin', { description: 'A tool of the platform.' }),
    name: Type.Enum(['calculator', 'search', 'web_page'], {
      description:
        '`calculator` calculates, `search` searches the web, `web_page` reads a page as text. `search` needs a search service of the operator.',
    }),
    approval,
  },
  { additionalProperties: false, description: 'A tool of the platform.' },
)

const FlowTool = Type.Object(
  {
    type: Type.Literal('flow', { description: 'Another flow, which runs as part of the step.' }),
    name: toolName('The name of the tool, which the model sees.'),
    description: Type.String({
      minLength: 1,
      maxLength: 2000,
      description: 'What the flow does and when to use it, for the model.',
    }),
    flow: flowId('The id of the flow.'),
    flow_version: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: 'The number of the version. Default: the current one when the flow is called.',
      }),
    ),
    parameters: Type.Optional(
      JsonObject(
        'The JSON schema of the arguments, an object. They are the context of the flow. Default: a text, `content`.',
      ),
    ),
    approval,
  },
  { additionalProperties: false, description: 'A tool that runs another flow.' },
)

export const AgentTool = Type.Union([HttpTool, McpTool, FlowTool, BuiltinTool], {
  description: 'A tool: an HTTP API, tools of an MCP server, another flow, or a tool of the platform.',
})

export type AgentTool = Static<typeof AgentTool>

export type HttpAgentTool = Static<typeof HttpTool>

export type BuiltinName = Static<typeof BuiltinTool>['name']

export const maxTools = 64

/** Finds problems of the tools of an agent that the schema does not. */
export function checkTools(tools: readonly AgentTool[], place: string): Problem[] {
  const names = new Set<string>()
  return tools.flatMap((tool, index) => {
    const at = `${place}[${index}]`
    const problems = checkApproval(tool, at)
    const name = tool.type === 'mcp' ? `mcp server ${tool.server}` : tool.name
    if (names.has(name)) {
      const field = tool.type === 'mcp' ? 'server' : 'name'
      problems.push({
        path: `${at}.${field}`,
        message: 'is used by another tool of the step',
        code: 'duplicate',
      })
    }
    names.add(name)
    if (tool.type === 'flow') return [...problems, ...checkParameters(tool.parameters, at)]
    return tool.type === 'http' ? [...problems, ...checkHttpTool(tool, at)] : problems
  })
}

function checkApproval({ approval: rule }: AgentTool, place: string): Problem[] {
  if (rule === undefined || rule === 'never' || rule === 'always') return []
  return checkExpression(rule, `${place}.approval`)
}

function checkParameters(parameters: HttpAgentTool['parameters'], place: string): Problem[] {
  if ((parameters?.['type'] ?? 'object') === 'object') return []
  const message = 'must have the type "object": its properties are the arguments'
  return [{ path: `${place}.parameters`, message, code: 'schema' }]
}

const writtenFields = ['method', 'url', 'parameters', 'query', 'headers', 'body'] as const

function checkHttpTool(tool: HttpAgentTool, place: string): Problem[] {
  const required = (field: string): Problem => ({
    path: `${place}.${field}`,
    message: 'is required without openapi',
    code: 'required',
  })
  if (tool.openapi !== undefined) {
    const problems = writtenFields
      .filter((field) => tool[field] !== undefined)
      .map((field) => ({
        path: `${place}.${field}`,
        message: 'has no effect with openapi, which describes the request',
        code: 'no_effect',
      }))
    const { url, resolved } = tool.openapi
    const wrong = describeBadUrl(url) ?? (url.includes('{{') ? 'must have no placeholders' : undefined)
    if (wrong !== undefined) problems.push({ path: `${place}.openapi.url`, message: wrong, code: 'url' })
    return [
      ...problems,
      ...(resolved === undefined ? [] : checkRequest(resolved, `${place}.openapi.resolved`)),
    ]
  }
  const missing = (['description', 'url'] as const).filter((field) => tool[field] === undefined)
  if (missing.length > 0) return missing.map(required)
  return checkRequest({ ...tool, url: tool.url ?? '' }, place)
}

interface RequestParts extends Pick<HttpAgentTool, 'parameters' | 'query' | 'headers' | 'body'> {
  readonly url: string
}

function checkRequest({ url, parameters, ...parts }: RequestParts, place: string): Problem[] {
  const wrong = describeBadUrl(url)
  if (wrong !== undefined) return [{ path: `${place}.url`, message: wrong, code: 'url' }]
  const problems: Problem[] = []
  if (redactAddress(url) !== url) {
    const message = 'has a credential; store it in a connection, and name that in `connection`'
    problems.push({ path: `${place}.url`, message, code: 'literal_credential' })
  }
  problems.push(...checkParameters(parameters, place))
  const { properties = {} } = (parameters ?? {}) as { readonly properties?: object }
  const used = [
    ...[...url.matchAll(/\{\{\s*arguments\.([A-Za-z0-9_-]{1,64})\s*\}\}/g)].map(([, name]) => ['url', name]),
    ...(['query', 'headers'] as const).flatMap((field) => (parts[field] ?? []).map((name) => [field, name])),
    ...(parts.body === undefined ? [] : [['body', parts.body]]),
  ]
  for (const [field, name = ''] of used) {
    if (Object.hasOwn(properties ?? {}, name)) continue
    const message = `names the argument "${name}", which parameters.properties does not have`
    problems.push({ path: `${place}.${field}`, message, code: 'unknown_argument' })
  }
  const hasCredential = (parts.headers ?? []).some((name) =>
    /^(?:authorization|cookie|host|content-length|proxy-.*)$/i.test(name),
  )
  if (hasCredential) {
    const message = 'must not name a header with credentials or of the connection: a model would choose it'
    problems.push({ path: `${place}.headers`, message, code: 'value' })
  }
  return problems
}
