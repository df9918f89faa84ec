import { type Static, Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import type {
  ChatMessage,
  ContentPart,
  JsonSchema,
  ModelCall,
  NativeField,
  Thinking,
  ToolCall,
} from '../../providers/provider.ts'
import { modelNameSchema } from '../requests/model-name.ts'
import { effortOf, nativeReasoningOf, type ReasoningFields } from './reasoning.ts'

/*
 * The request body of Anthropic's messages API. Anthropic itself gets it as it is. Other providers get what has a counterpart there;
 * hints such as `cache_control` are dropped, and fields without a counterpart, such as `mcp_servers`, are refused by name.
 */

const text = Type.Object({ type: Type.Literal('text'), text: Type.String() })

/** An object of a type that only Anthropic gets. */
function otherThan(...types: readonly string[]) {
  return Type.Object({ type: Type.String({ pattern: `^(?!(${types.join('|')})$)`, maxLength: 128 }) })
}

const source = Type.Union([
  Type.Object({
    type: Type.Literal('base64'),
    media_type: Type.String({ maxLength: 128 }),
    data: Type.String(),
  }),
  Type.Object({
    type: Type.Literal('url'),
    url: Type.String({ pattern: '^https?://', maxLength: 8192 }),
  }),
  Type.Object({ type: Type.Literal('text'), media_type: Type.Optional(Type.String()), data: Type.String() }),
  // Such as a file that is uploaded at its provider.
  otherThan('base64', 'url', 'text'),
])

const image = Type.Object({ type: Type.Literal('image'), source })
const document = Type.Object({
  type: Type.Literal('document'),
  source,
  title: Type.Optional(Type.String({ maxLength: 512 })),
})

const toolName = Type.String({
  pattern: '^[A-Za-z0-9_.-]{1,128}$',
  maxLength: 128,
  'x-means': 'must be up to 128 letters, digits, dots, hyphens and underscores',
})

const block = Type.Union([
  text,
  image,
  document,
  Type.Object({
    type: Type.Literal('tool_use'),
    id: Type.String({ minLength: 1, maxLength: 512 }),
    name: toolName,
    input: Type.Unknown(),
  }),
  Type.Object({
    type: Type.Literal('tool_result'),
    tool_use_id: Type.String({ minLength: 1, maxLength: 512 }),
    content: Type.Optional(
      Type.Union([
        Type.String(),
        Type.Array(Type.Union([text, image, document, otherThan('text', 'image', 'document')])),
      ]),
    ),
    is_error: Type.Optional(Type.Boolean()),
  }),
  Type.Object({ type: Type.Literal('thinking'), thinking: Type.String(), signature: Type.String() }),
  Type.Object({ type: Type.Literal('redacted_thinking'), data: Type.String() }),
  otherThan('text', 'image', 'document', 'tool_use', 'tool_result', 'thinking', 'redacted_thinking'),
])

const tool = Type.Union([
  Type.Object({
    type: Type.Optional(Type.Literal('custom')),
    name: toolName,
    description: Type.Optional(Type.String({ maxLength: 65_536 })),
    input_schema: Type.Unsafe<JsonSchema>({ type: 'object', additionalProperties: true }),
  }),
  Type.Object({
    type: Type.String({ pattern: '^(?!custom$)', maxLength: 128, description: 'A tool of the provider.' }),
  }),
])

const toolChoice = Type.Object({
  type: Type.Enum(['auto', 'any', 'tool', 'none']),
  name: Type.Optional(toolName),
  disable_parallel_tool_use: Type.Optional(Type.Boolean()),
})

const conversation = {
  model: modelNameSchema,
  system: Type.Optional(Type.Union([Type.String(), Type.Array(text)])),
  messages: Type.Array(
    Type.Object({
      role: Type.Enum(['user', 'assistant', 'system'], {
        description: '`system` has instructions in the middle of a conversation.',
      }),
      content: Type.Union([Type.String(), Type.Array(block, { minItems: 1 })]),
    }),
    { minItems: 1 },
  ),
  tools: Type.Optional(Type.Array(tool, { maxItems: 256 })),
  tool_choice: Type.Optional(toolChoice),
}

export const countTokensSchema = Type.Object(conversation, { additionalProperties: true })

export const messagesRequestSchema = Type.Object(
  {
    ...conversation,
    max_tokens: Type.Integer({
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'Maximum tokens of the response.',
    }),
    stream: Type.Optional(Type.Boolean({ description: 'Streams the response as server-sent events.' })),
    temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    top_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    top_k: Type.Optional(Type.Integer({ minimum: 0 })),
    stop_sequences: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), { maxItems: 64 }),
    ),
    thinking: Type.Optional(
      Type.Object({
        type: Type.String({ maxLength: 64, description: '`enabled`, `disabled` or `adaptive`.' }),
        budget_tokens: Type.Optional(Type.Integer({ minimum: 1024 })),
      }),
    ),
    output_config: Type.Optional(
      Type.Object({
        effort: Type.Optional(
          Type.String({ maxLength: 64, description: '`low`, `medium`, `high`, `xhigh` or `max`.' }),
        ),
        format: Type.Optional(
          Type.Object({
            type: Type.Literal('json_schema'),
            schema: Type.Unsafe<JsonSchema>({ type: 'object', additionalProperties: true }),
          }),
        ),
      }),
    ),
    metadata: Type.Optional(
      Type.Object({ user_id: Type.Optional(Type.Union([Type.String({ maxLength: 512 }), Type.Null()])) }),
    ),
  },
  { additionalProperties: true },
)

export type MessagesRequestBody = Static<typeof messagesRequestSchema>
export type CountTokensBody = Static<typeof countTokensSchema>

/** Converts the body of `/v1/messages`. Throws `invalid_input` for blocks that do not fit their role. */
export function messagesCall(body: MessagesRequestBody): ModelCall {
  return {
    ...conversationCall(body),
    maxTokens: body.max_tokens,
    temperature: body.temperature,
    topP: body.top_p,
    topK: body.top_k === 0 ? undefined : body.top_k,
    stop: body.stop_sequences,
    reasoningEffort: effortOf(body),
    ...(body.output_config?.format !== undefined && { format: { schema: body.output_config.format.schema } }),
  }
}

/** Fields without an effect on the meaning of a response, which providers with another protocol do not get. */
const hints: ReadonlySet<string> = new Set([
  'betas',
  'cache_control',
  'context_management',
  'inference_geo',
  'service_tier',
  'speed',
])

/** The fields and types that only Anthropic's own protocol has. */
export function nativeMessagesFields(body: CountTokensBody & ReasoningFields): readonly NativeField[] {
  const known = Object.keys(messagesRequestSchema.properties)
  const fields = Object.keys(body).filter((name) => !known.includes(name) && !hints.has(name))
  const tools = (body.tools ?? []).flatMap((item, index) =>
    isOwnTool(item) ? [] : { path: `tools[${index}].type`, value: item.type },
  )
  const blocks = body.messages.flatMap(({ content }, index) =>
    typeof content === 'string' ? [] : nativeTypesOf(content, `messages[${index}].content`),
  )
  return [...fields, ...tools, ...blocks, ...nativeReasoningOf(body)]
}

/** The types in blocks that only Anthropic gets. */
function nativeTypesOf(blocks: readonly (AnyBlock | ResultBlock)[], path: string): readonly NativeField[] {
  return blocks.flatMap((item, index): readonly NativeField[] => {
    const at = `${path}[${index}]`
    if (!isKnownBlock(item)) return [{ path: `${at}.type`, value: item.type }]
    if ('source' in item)
      return isKnownSource(item.source) ? [] : [{ path: `${at}.source.type`, value: item.source.type }]
    const { content } = item.type === 'tool_result' ? item : {}
    return typeof content === 'object' ? nativeTypesOf(content, `${at}.content`) : []
  })
}

/** The part of a body that counts as input. */
export function conversationCall(body: CountTokensBody): ModelCall {
  const { model, system, messages, tools = [], tool_choice: choice } = body
  const own = tools.filter(isOwnTool)
  return {
    model,
    kind: 'chat',
    messages: [...systemOf(system), ...messages.flatMap(toMessages)],
    ...(own.length > 0 && {
      tools: own.map(({ name, description, input_schema: parameters }) => ({
        name,
        description,
        parameters,
      })),
      ...choiceOf(choice, own),
    }),
  }
}

type ToolBody = NonNullable<CountTokensBody['tools']>[number]
type OwnTool = Extract<ToolBody, { input_schema: unknown }>

function isOwnTool(item: ToolBody): item is OwnTool {
  return 'input_schema' in item
}

function systemOf(system: CountTokensBody['system']): ChatMessage[] {
  if (system === undefined) return []
  const content = typeof system === 'string' ? system : system.map((part) => part.text).join('\n\n')
  return content === '' ? [] : [{ role: 'system', content }]
}

function choiceOf(
  choice: CountTokensBody['tool_choice'],
  tools: readonly OwnTool[],
): Pick<ModelCall, 'toolChoice' | 'parallelToolCalls'> {
  if (choice === undefined) return {}
  const { type, name, disable_parallel_tool_use: serial } = choice
  if (type === 'tool' && !tools.some((candidate) => candidate.name === name)) {
    throw invalid('tool_choice.name', 'is no name of a tool')
  }
  const simple = { auto: 'auto', any: 'required', none: 'none' } as const
  return {
    toolChoice: type === 'tool' ? { name: name ?? '' } : simple[type],
    ...(serial !== undefined && { parallelToolCalls: !serial }),
  }
}

type MessageBody = CountTokensBody['messages'][number]
type AnyBlock = Exclude<MessageBody['content'], string>[number]

const knownBlocks = [
  'text',
  'image',
  'document',
  'tool_use',
  'tool_result',
  'thinking',
  'redacted_thinking',
] as const

type Block = Extract<AnyBlock, { type: (typeof knownBlocks)[number] }>
type ResultBlock = Exclude<Extract<Block, { type: 'tool_result' }>['content'], string | undefined>[number]
type Source = MediaBlock extends infer Item ? (Item extends { source: infer From } ? From : never) : never
type KnownSource = Extract<Source, { data: string } | { url: string }>

function isKnownSource(from: Source): from is KnownSource {
  return from.type === 'base64' || from.type === 'url' || from.type === 'text'
}

function isKnownBlock<Item extends AnyBlock | ResultBlock>(item: Item): item is Extract<Item, Block> {
  return (knownBlocks as readonly string[]).includes(item.type)
}

/** A user message may have tool results among its blocks, which are messages of their own. */
function toMessages({ role, content }: MessageBody, index: number): ChatMessage[] {
  const path = `messages[${index}].content`
  if (typeof content === 'string') return [{ role, content }]
  const blocks = content.filter(isKnownBlock)
  if (role === 'system') return systemOf(blocks.map((item, position) => textOf(item, `${path}[${position}]`)))
  return role === 'assistant' ? [assistantOf(blocks, path)] : userMessagesOf(blocks, path)
}

function textOf(item: Block, path: string): Static<typeof text> {
  if (item.type === 'text') return item
  throw invalid(`${path}.type`, `must be text in messages of the role system, not ${item.type}`)
}

function assistantOf(blocks: readonly Block[], path: string): ChatMessage {
  const texts: string[] = []
  const thinking: Thinking[] = []
  const toolCalls: ToolCall[] = []
  for (const [index, item] of blocks.entries()) {
    switch (item.type) {
      case 'text':
        texts.push(item.text)
        break
      case 'thinking':
        thinking.push({ text: item.thinking, signature: item.signature })
        break
      case 'tool_use':
        toolCalls.push({ id: item.id, name: item.name, arguments: JSON.stringify(item.input ?? {}) })
        break
      case 'redacted_thinking':
        // Only the provider that wrote it can read it.
        break
      default:
        throw invalid(`${path}[${index}].type`, `${item.type} belongs to messages of the role user`)
    }
  }
  return {
    role: 'assistant',
    content: texts.join('\n'),
    ...(thinking.length > 0 && { thinking }),
    ...(toolCalls.length > 0 && { toolCalls }),
  }
}

function userMessagesOf(blocks: readonly Block[], path: string): ChatMessage[] {
  const results: ChatMessage[] = []
  const parts: ContentPart[] = []
  for (const [index, item] of blocks.entries()) {
    switch (item.type) {
      case 'text':
      case 'image':
      case 'document':
        parts.push(toPart(item))
        break
      case 'tool_result': {
        const { content = '' } = item
        results.push({
          role: 'tool',
          toolCallId: item.tool_use_id,
          content: typeof content === 'string' ? content : joined(content.filter(isKnownBlock).map(toPart)),
          ...(item.is_error === true && { isError: true }),
        })
        break
      }
      default:
        throw invalid(`${path}[${index}].type`, `${item.type} belongs to messages of the role assistant`)
    }
  }
  return parts.length === 0 ? results : [...results, { role: 'user', content: joined(parts) }]
}

/** Texts alone as one text, which every provider handles. */
function joined(parts: readonly ContentPart[]): string | readonly ContentPart[] {
  const texts = parts.flatMap((part) => (part.type === 'text' ? part.text : []))
  return texts.length === parts.length ? texts.join('\n') : parts
}

type MediaBlock = Extract<Block, { type: 'text' | 'image' | 'document' }>

function toPart(item: MediaBlock): ContentPart {
  if (item.type === 'text') return { type: 'text', text: item.text }
  const { source: from } = item
  if (!isKnownSource(from)) return { type: 'text', text: '' }
  if (from.type === 'text') return { type: 'text', text: from.data }
  if (from.type === 'url' && !URL.canParse(from.url)) throw invalid('source.url', 'is no valid URL')
  const url = from.type === 'url' ? from.url : `data:${from.media_type};base64,${from.data}`
  return item.type === 'image' ? { type: 'image', url } : { type: 'file', url, filename: item.title }
}

function invalid(path: string, message: string) {
  return kernelFailure('invalid_input', {
    message: `${path} ${message}.`,
    problems: [{ path, message, code: 'contradiction' }],
  })
}
