import { createHash } from 'node:crypto'
import { type Static, Type } from 'typebox'
import type { Problem } from '#kernel/errors'
import { createValueCheck } from '#kernel/http'
import type { JsonSchema, NativeField, Tool } from '../../providers/provider.ts'
import type { Item } from '../../stored-responses/stored-responses.ts'
import { isFields } from '../requests/unsupported-fields.ts'

/*
 * The tools of a request. Providers with another protocol know functions only:
 *
 * | tool        | other providers get                                                              | the caller gets a call as          |
 * |-------------|----------------------------------------------------------------------------------|------------------------------------|
 * | `function`  | the function                                                                     | `function_call`                    |
 * | `custom`    | a function with the text `input`; its description has the grammar                | `custom_tool_call`                 |
 * | `namespace` | its functions and custom tools, with the namespace as the start of their names   | those of its tools, with namespace |
 * | others      | the request is refused, because these tools run at OpenAI                        |                                    |
 */

const toolName = Type.String({
  pattern: '^[A-Za-z0-9_.-]{1,128}$',
  maxLength: 128,
  'x-means': 'must be up to 128 letters, digits, dots, hyphens and underscores',
})
const description = Type.Optional(Type.Union([Type.String({ maxLength: 65_536 }), Type.Null()]))
const object = { type: 'object', additionalProperties: true } as const

const functionTool = Type.Object({
  type: Type.Literal('function'),
  name: toolName,
  description,
  parameters: Type.Optional(Type.Union([Type.Unsafe<JsonSchema>(object), Type.Null()])),
  strict: Type.Optional(Type.Union([Type.Boolean(), Type.Null()])),
})

const customTool = Type.Object({
  type: Type.Literal('custom'),
  name: toolName,
  description,
  format: Type.Optional(
    Type.Union([
      Type.Object({
        type: Type.String({ maxLength: 64 }),
        syntax: Type.Optional(Type.String({ maxLength: 64 })),
        definition: Type.Optional(Type.String({ maxLength: 262_144 })),
      }),
      Type.Null(),
    ]),
  ),
})

const namespaceTool = Type.Object({
  type: Type.Literal('namespace'),
  name: toolName,
  description,
  tools: Type.Array(Type.Unsafe<Item>(object), { maxItems: 256 }),
})

type FunctionTool = Static<typeof functionTool>
type CustomTool = Static<typeof customTool>
type NamespaceTool = Static<typeof namespaceTool>

const checks = {
  function: createValueCheck(functionTool),
  custom: createValueCheck(customTool),
  namespace: createValueCheck(namespaceTool),
}

const isFunction = (tool: Item | FunctionTool): tool is FunctionTool => tool.type === 'function'
const isCustom = (tool: Item | CustomTool): tool is CustomTool => tool.type === 'custom'
const isNamespace = (tool: Item | NamespaceTool): tool is NamespaceTool => tool.type === 'namespace'

/** The most tools of a request, those of namespaces included. */
const maxTools = 1024

/** The problems of tools, with their paths. A tool of an unknown type has none. */
export function findToolProblems(tools: readonly unknown[]): readonly Problem[] {
  const problems = problemsAt(tools, 'tools')
  if (problems.length > 0) return problems
  const count = tools.reduce<number>((sum, tool) => sum + innerTools(tool).length, tools.length)
  if (count <= maxTools) return []
  return [{ path: 'tools', message: `must not have more than ${maxTools} tools in all`, code: 'too_many' }]
}

function problemsAt(tools: readonly unknown[], path: string): readonly Problem[] {
  return tools.flatMap((tool, index) => {
    const at = `${path}[${index}]`
    if (!isFields(tool) || typeof tool['type'] !== 'string')
      return [{ path: `${at}.type`, message: 'is required, such as function', code: 'required' }]
    const { type } = tool
    if (type !== 'function' && type !== 'custom' && type !== 'namespace') return []
    const problems = checks[type](tool)
    if (problems.length > 0 || type !== 'namespace' || path !== 'tools')
      return problems.map((problem) => ({ ...problem, path: `${at}.${problem.path}` }))
    return problemsAt(innerTools(tool), `${at}.tools`)
  })
}

/** The tools of a namespace. */
function innerTools(tool: unknown): readonly unknown[] {
  const { type, tools } = isFields(tool) ? tool : {}
  return type === 'namespace' && Array.isArray(tools) ? tools : []
}

/** The types of tools that only OpenAI runs. */
export function nativeToolsOf(tools: readonly Item[]): readonly NativeField[] {
  return tools.flatMap((tool, index) => {
    if (!isNamespace(tool)) return nativeToolOf(tool, `tools[${index}]`)
    return tool.tools.flatMap((inner, position) => nativeToolOf(inner, `tools[${index}].tools[${position}]`))
  })
}

function nativeToolOf(tool: Item, path: string): readonly NativeField[] {
  return isFunction(tool) || isCustom(tool) ? [] : [{ path: `${path}.type`, value: tool.type }]
}

/** A tool as the caller knows it. */
export interface ToolReference {
  readonly kind: 'function' | 'custom'
  readonly name: string
  readonly namespace?: string | undefined
}

/** The tools of a request as functions. */
export interface TranslatedTools {
  readonly definitions: readonly TranslatedTool[]
  /** The tool of a function that a model calls; the name itself for a function that the request does not have. */
  referenceOf(functionName: string): ToolReference
  /** The name of the function of a tool, also of a tool that the request no longer has. */
  functionNameOf(reference: ToolReference): string
}

interface TranslatedTool extends Tool {
  readonly reference: ToolReference
}

export function translateTools(tools: readonly Item[] = []): TranslatedTools {
  const byFunction = new Map<string, TranslatedTool>()
  const names = new Map<string, string>()
  const flat = tools.flatMap((tool): readonly { tool: Item; group?: NamespaceTool }[] =>
    isNamespace(tool) ? tool.tools.map((inner) => ({ tool: inner, group: tool })) : [{ tool }],
  )
  for (const { tool, group } of flat) {
    if (!isFunction(tool) && !isCustom(tool)) continue
    const reference = { kind: tool.type, name: tool.name, namespace: group?.name }
    const name = freeName(joinedName(reference), byFunction)
    const about = [group?.description, tool.description].flatMap((text) => text ?? []).join('\n\n')
    byFunction.set(name, { ...definitionOf(tool), name, description: describe(tool, about), reference })
    names.set(keyOf(reference), name)
  }
  return {
    definitions: [...byFunction.values()],
    referenceOf: (name) => byFunction.get(name)?.reference ?? { kind: 'function', name },
    functionNameOf: (reference) => names.get(keyOf(reference)) ?? joinedName(reference),
  }
}

const keyOf = ({ kind, name, namespace = '' }: ToolReference) => `${kind} ${namespace} ${name}`

/** Providers accept names of up to 64 characters. */
const maxNameLength = 64

/** The namespace and the name, as in `crm__find_customer`. Namespaces of MCP servers end with the separator already. */
function joinedName({ name, namespace }: ToolReference): string {
  if (namespace === undefined) return name
  const joined = `${namespace}${namespace.endsWith('__') ? '' : '__'}${name}`
  if (joined.length <= maxNameLength) return joined
  const hash = createHash('sha256').update(joined).digest('hex').slice(0, 8)
  return `${joined.slice(0, maxNameLength - hash.length - 1)}_${hash}`
}

/** Two tools of a request never share a function. */
function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let free = name
  for (let number = 2; taken.has(free); number += 1) free = `${name}_${number}`
  return free
}

function definitionOf(tool: FunctionTool | CustomTool): Pick<Tool, 'parameters' | 'strict'> {
  if (tool.type === 'custom') return { parameters: customParameters }
  const { parameters, strict } = tool
  return { parameters: parameters ?? { type: 'object', properties: {} }, strict: strict ?? undefined }
}

const customParameters: JsonSchema = {
  type: 'object',
  properties: { input: { type: 'string', description: 'The whole input of the tool, as plain text.' } },
  required: ['input'],
  additionalProperties: false,
}

function describe(tool: FunctionTool | CustomTool, about: string): string | undefined {
  const { syntax, definition } = tool.type === 'custom' ? (tool.format ?? {}) : {}
  const grammar =
    definition === undefined ? [] : [`The input must match this ${syntax ?? ''} grammar:\n${definition}`]
  const text = [...(about === '' ? [] : [about]), ...grammar].join('\n\n')
  return text === '' ? undefined : text
}
