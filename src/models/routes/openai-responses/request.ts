import { type Static, Type } from 'typebox'
import type { Problem } from '#kernel/errors'
import { type JsonSchema, type NativeField, reasoningEfforts } from '../../providers/provider.ts'
import type { Item } from '../../stored-responses/stored-responses.ts'
import { chatRequestSchema } from '../openai/chat-request.ts'
import { unknownFields } from '../openai/request-fields.ts'
import { modelNameSchema } from '../requests/model-name.ts'
import {
  type CheckedFields,
  type Fields,
  type InertFields,
  isFields,
  type RefusedFields,
  refuseUnsupportedFields,
  withoutEmptyFields,
} from '../requests/unsupported-fields.ts'
import { findItemProblems, isKnownItem, isKnownPart, type KnownItem } from './items.ts'
import { findToolProblems, nativeToolsOf } from './tools.ts'

const object = { type: 'object', additionalProperties: true } as const

const format = Type.Object({
  type: Type.Enum(['text', 'json_object', 'json_schema']),
  name: Type.Optional(
    Type.String({
      pattern: '^[A-Za-z0-9_-]{1,64}$',
      maxLength: 64,
      'x-means': 'must be up to 64 letters, digits, hyphens and underscores',
    }),
  ),
  description: Type.Optional(Type.String({ maxLength: 4096 })),
  schema: Type.Optional(Type.Unsafe<JsonSchema>(object)),
  strict: Type.Optional(
    Type.Boolean({
      description:
        'Without streaming, the output satisfies the schema or the call fails; with false the schema is guidance only.',
    }),
  ),
})

export const responsesRequestSchema = Type.Object(
  {
    model: modelNameSchema,
    input: Type.Optional(
      Type.Unsafe<string | readonly Item[]>({
        anyOf: [{ type: 'string' }, { type: 'array', items: object }],
        description:
          'A text, or items: `message`, `function_call`, `function_call_output`, `custom_tool_call`, `custom_tool_call_output`, `reasoning` and `item_reference`. Content has parts of the types `input_text`, `input_image`, `input_file` and `output_text`.',
      }),
    ),
    instructions: Type.Optional(
      Type.String({ description: 'A system message before the conversation. It is not inherited.' }),
    ),
    previous_response_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 128,
        description: 'The stored response that this request continues.',
      }),
    ),
    store: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Stores the response on this platform, so that later requests can continue it.',
      }),
    ),
    stream: Type.Optional(
      Type.Boolean({ default: false, description: 'Streams the response as server-sent events.' }),
    ),
    tools: Type.Optional(
      Type.Array(Type.Unsafe<Item>(object), {
        maxItems: 256,
        description:
          'Tools of the types `function`, `custom` and `namespace`. Providers with this protocol get those of other types as they are.',
      }),
    ),
    tool_choice: Type.Optional(
      Type.Union([Type.Enum(['none', 'auto', 'required']), Type.Unsafe<Item>(object)]),
    ),
    parallel_tool_calls: Type.Optional(
      Type.Boolean({ description: 'Whether the model may request several tool calls at once.' }),
    ),
    max_output_tokens: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: 'Maximum tokens of the response.',
      }),
    ),
    temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
    top_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    reasoning: Type.Optional(
      Type.Object({
        effort: Type.Optional(Type.Enum([...reasoningEfforts])),
        summary: Type.Optional(Type.String({ maxLength: 64 })),
        generate_summary: Type.Optional(Type.String({ maxLength: 64 })),
      }),
    ),
    text: Type.Optional(
      Type.Object({ format: Type.Optional(format), verbosity: Type.Optional(Type.String()) }),
    ),
    include: Type.Optional(Type.Array(Type.String({ maxLength: 128 }), { maxItems: 32 })),
    truncation: Type.Optional(
      Type.Enum(['auto', 'disabled'], {
        description: 'Only providers with this protocol shorten a conversation that is too long.',
      }),
    ),
    user: chatRequestSchema.properties.user,
    safety_identifier: chatRequestSchema.properties.safety_identifier,
    metadata: chatRequestSchema.properties.metadata,
  },
  { additionalProperties: true },
)

export type ResponsesRequestBody = Static<typeof responsesRequestSchema>

const refused: RefusedFields = {
  background: {
    because: 'responses are generated while the caller waits; use "stream": true',
    unless: [false],
  },
  conversation: { because: 'continue a response with previous_response_id' },
}

/** Values that request nothing. */
const inert: InertFields = {
  service_tier: { unless: ['auto', 'default'] },
  top_logprobs: { unless: [0] },
}

/** Fields without an effect on the meaning of a response, which providers with another protocol do not get. */
const hints: ReadonlySet<string> = new Set([
  'client_metadata',
  'max_tool_calls',
  'prompt_cache_key',
  'prompt_cache_options',
  'prompt_cache_retention',
  'stream_options',
])

/** A preValidation hook that refuses unsupported fields by name, and checks items and tools by their types. */
export const checkResponsesFields = refuseUnsupportedFields(refused, (fields) =>
  checkItems(withoutEmptyFields(fields, inert)),
)

function checkItems(fields: Fields): CheckedFields {
  const { input, tools, tool_choice: choice } = fields
  const items: readonly unknown[] | undefined = Array.isArray(input) ? input.map(withType) : undefined
  const itemProblems = items?.flatMap((item, index) => findItemProblems(item, `input[${index}]`)) ?? []
  const toolProblems = Array.isArray(tools) ? findToolProblems(tools) : []
  return {
    fields: items === undefined ? fields : { ...fields, input: items },
    problems: [...itemProblems, ...toolProblems, ...findChoiceProblems(choice)],
  }
}

/** Messages and references may omit their type. */
function withType(item: unknown): unknown {
  if (!isFields(item) || (item['type'] !== undefined && item['type'] !== null)) return item
  if (item['role'] !== undefined) return { ...item, type: 'message' }
  return Object.keys(item).every((name) => name === 'id' || name === 'type') && item['id'] !== undefined
    ? { id: item['id'], type: 'item_reference' }
    : item
}

function findChoiceProblems(choice: unknown): readonly Problem[] {
  if (!isFields(choice) || typeof choice['type'] === 'string') return []
  return [{ path: 'tool_choice.type', message: 'is required, such as function', code: 'required' }]
}

/** The fields, items and types that only providers with this protocol get. */
export function nativeResponsesFields(body: ResponsesRequestBody): readonly NativeField[] {
  const { input = '', tools = [], tool_choice: choice, text, reasoning = {}, include = [] } = body
  const fields = unknownFields(body, responsesRequestSchema.properties).filter((name) => !hints.has(name))
  const reasoningFields = unknownFields(reasoning, responsesRequestSchema.properties.reasoning.properties)
  return [
    ...fields,
    ...reasoningFields.map((name) => `reasoning.${name}`),
    ...(text?.verbosity === undefined || text.verbosity === 'medium' ? [] : ['text.verbosity']),
    ...include.flatMap((value, index) => (value === logprobs ? [{ path: `include[${index}]`, value }] : [])),
    ...nativeToolsOf(tools),
    ...(typeof choice === 'object' && !choiceTypes.has(choice.type)
      ? [{ path: 'tool_choice.type', value: choice.type }]
      : []),
    ...(typeof input === 'string' ? [] : input.flatMap(nativePartsOf)),
  ]
}

const logprobs = 'message.output_text.logprobs'

function contentOf(item: KnownItem): readonly [field: string, content: readonly Item[]] {
  if (item.type === 'message') return ['content', typeof item.content === 'string' ? [] : item.content]
  if (item.type !== 'function_call_output' && item.type !== 'custom_tool_call_output') return ['content', []]
  return ['output', typeof item.output === 'string' ? [] : item.output]
}

const choiceTypes: ReadonlySet<string> = new Set(['function', 'custom', 'allowed_tools'])

function nativePartsOf(item: Item, index: number): readonly NativeField[] {
  if (!isKnownItem(item)) return [{ path: `input[${index}].type`, value: item.type }]
  const [field, content] = contentOf(item)
  return content.flatMap((part, position): readonly NativeField[] => {
    const path = `input[${index}].${field}[${position}]`
    if (!isKnownPart(part)) return [{ path: `${path}.type`, value: part.type }]
    const isStored = 'file_id' in part && typeof part.file_id === 'string'
    return isStored ? [`${path}.file_id`] : []
  })
}
