import { type Static, Type } from 'typebox'
import { type JsonSchema, type NativeField, reasoningEfforts } from '../../providers/provider.ts'
import type { InertFields } from '../requests/unsupported-fields.ts'
import {
  inertSamplingFields,
  maxCompletionTokens,
  nativeStreamOptions,
  samplingFields,
  unknownFields,
} from './request-fields.ts'

/** A URL of a web page, or the data itself. */
const mediaUrl = Type.String({
  pattern: '^(https?://|data:[A-Za-z0-9.+-]+/[A-Za-z0-9.+-]+;base64,)',
  'x-means': 'must be an http or https URL, or a data URL in base64',
})

/*
 * Parts, tools and tool calls may have types and fields that only providers with the OpenAI protocol get, such as the id of an uploaded
 * file. They are listed as native fields, so other providers refuse them by name.
 */

const described = {
  text: { type: Type.Literal('text'), text: Type.String() },
  image_url: {
    type: Type.Literal('image_url'),
    image_url: Type.Object({ url: mediaUrl, detail: Type.Optional(Type.String({ maxLength: 64 })) }),
  },
  input_audio: {
    type: Type.Literal('input_audio'),
    input_audio: Type.Object({ data: Type.String(), format: Type.Enum(['wav', 'mp3']) }),
  },
  file: {
    type: Type.Literal('file'),
    file: Type.Object({
      file_data: Type.Optional(mediaUrl),
      filename: Type.Optional(Type.String({ maxLength: 512 })),
    }),
  },
  refusal: { type: Type.Literal('refusal'), refusal: Type.String() },
} as const

/** An object of a type that the schemas above and below do not describe. */
function otherThan(...types: readonly string[]) {
  return Type.Object({ type: Type.String({ pattern: `^(?!(${types.join('|')})$)`, maxLength: 128 }) })
}

const part = Type.Union([
  Type.Object(described.text),
  Type.Object(described.image_url),
  Type.Object(described.input_audio),
  Type.Object(described.file),
  Type.Object(described.refusal),
  otherThan(...Object.keys(described)),
])

const toolName = Type.String({
  pattern: '^[A-Za-z0-9_.-]{1,128}$',
  maxLength: 128,
  'x-means': 'must be up to 128 letters, digits, dots, hyphens and underscores',
})

const functionCall = {
  id: Type.String({ minLength: 1, maxLength: 512 }),
  type: Type.Literal('function'),
  function: Type.Object({ name: toolName, arguments: Type.String() }),
  index: Type.Optional(Type.Integer()),
}

const toolCall = Type.Union([Type.Object(functionCall), otherThan('function')])

const message = Type.Object(
  {
    role: Type.Enum(['developer', 'system', 'user', 'assistant', 'tool'], {
      description: '`developer` is the newer name of `system`; `tool` has the result of a tool call.',
    }),
    content: Type.Optional(
      Type.Union([Type.String(), Type.Array(part, { minItems: 1 })], {
        description:
          'A text, or parts. Only user messages and tool results may have images, audio and files.',
      }),
    ),
    name: Type.Optional(Type.String({ maxLength: 512, description: 'The name of the participant.' })),
    tool_calls: Type.Optional(
      Type.Array(toolCall, {
        maxItems: 128,
        description: 'The tool calls that an assistant message requested.',
      }),
    ),
    tool_call_id: Type.Optional(
      Type.String({ maxLength: 512, description: 'The tool call that a tool message has the result of.' }),
    ),
    refusal: Type.Optional(Type.String({ description: 'The refusal of an earlier response.' })),
    reasoning_content: Type.Optional(
      Type.String({
        description: 'The reasoning of an earlier response. It is not sent to the model again.',
      }),
    ),
  },
  { additionalProperties: true },
)

const functionTool = {
  type: Type.Literal('function'),
  function: Type.Object({
    name: toolName,
    description: Type.Optional(Type.String({ maxLength: 65_536 })),
    parameters: Type.Optional(Type.Unsafe<JsonSchema>({ type: 'object', additionalProperties: true })),
    strict: Type.Optional(Type.Boolean({ description: 'Whether the arguments must satisfy the schema.' })),
  }),
}

const tool = Type.Union([Type.Object(functionTool), otherThan('function')])

const toolChoice = Type.Union([
  Type.Enum(['none', 'auto', 'required']),
  Type.Object({ type: Type.Literal('function'), function: Type.Object({ name: toolName }) }),
  otherThan('function'),
])

const responseFormat = Type.Object(
  {
    type: Type.Enum(['text', 'json_object', 'json_schema']),
    json_schema: Type.Optional(
      Type.Object(
        {
          name: Type.String({
            pattern: '^[A-Za-z0-9_-]{1,64}$',
            maxLength: 64,
            'x-means': 'must be up to 64 letters, digits, hyphens and underscores',
          }),
          description: Type.Optional(Type.String({ maxLength: 4096 })),
          schema: Type.Optional(Type.Unsafe<JsonSchema>({ type: 'object', additionalProperties: true })),
          strict: Type.Optional(
            Type.Boolean({
              description:
                'Without streaming, the output satisfies the schema or the call fails; with false the schema is guidance only.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)

export const chatRequestSchema = Type.Object(
  {
    ...samplingFields,
    messages: Type.Array(message, { minItems: 1 }),
    max_completion_tokens: maxCompletionTokens,
    response_format: Type.Optional(responseFormat),
    tools: Type.Optional(Type.Array(tool, { maxItems: 256 })),
    tool_choice: Type.Optional(toolChoice),
    parallel_tool_calls: Type.Optional(
      Type.Boolean({ description: 'Whether the model may request several tool calls at once.' }),
    ),
    reasoning_effort: Type.Optional(Type.Enum([...reasoningEfforts])),
    top_k: Type.Optional(Type.Integer({ minimum: 1 })),
    min_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    safety_identifier: Type.Optional(
      Type.String({ maxLength: 512, description: 'The newer name of `user`.' }),
    ),
    metadata: Type.Optional(
      Type.Unsafe<Readonly<Record<string, string>>>({
        type: 'object',
        maxProperties: 16,
        additionalProperties: { type: 'string', maxLength: 512 },
        description: 'Labels of the call for the log of this platform.',
      }),
    ),
  },
  { additionalProperties: true },
)

export type ChatRequestBody = Static<typeof chatRequestSchema>

/** Values that request nothing, which clients send although they are the defaults. */
export const inertChatFields: InertFields = {
  ...inertSamplingFields,
  functions: { unless: [[]] },
  function_call: { unless: ['none', 'auto'] },
  top_logprobs: { unless: [0] },
  modalities: { unless: [['text']] },
  service_tier: { unless: ['auto', 'default'] },
  store: { unless: [false] },
  verbosity: { unless: ['medium'] },
}

export const inertMessageFields: InertFields = { annotations: { unless: [[]] } }

type MessageBody = ChatRequestBody['messages'][number]
type AnyPart = Exclude<NonNullable<MessageBody['content']>, string>[number]

/** A part, tool or tool call that has a counterpart at every provider. */
export type ContentPartBody = Extract<
  AnyPart,
  { text: string } | { image_url: object } | { input_audio: object } | { file: object } | { refusal: string }
>
type FunctionTool = Extract<NonNullable<ChatRequestBody['tools']>[number], { function: object }>
export type FunctionCall = Extract<NonNullable<MessageBody['tool_calls']>[number], { function: object }>

export function isDescribedPart(item: AnyPart): item is ContentPartBody {
  return Object.hasOwn(described, item.type)
}

/** Whether a tool, a tool call or a choice of one is about a function. */
export function isFunction<Item extends { readonly type: string }>(
  item: Item,
): item is Extract<Item, { function: object }> {
  return item.type === 'function'
}

/** The fields that only providers with the OpenAI protocol get. */
export function nativeChatFields(body: ChatRequestBody): readonly NativeField[] {
  const { messages, tools = [], tool_choice: choice } = body
  return [
    ...unknownFields(body, chatRequestSchema.properties),
    ...nativeStreamOptions(body),
    ...messages.flatMap((item, index) => nativeMessageFields(item, `messages[${index}]`)),
    ...tools.flatMap((item, index) => nativeFunctionFields(item, functionTool, `tools[${index}]`)),
    ...(typeof choice === 'object' && !isFunction(choice)
      ? [{ path: 'tool_choice.type', value: choice.type }]
      : []),
  ]
}

function nativeMessageFields(item: MessageBody, path: string): readonly NativeField[] {
  const { content = '', tool_calls: calls = [] } = item
  const parts = typeof content === 'string' ? [] : content
  return [
    ...unknownFields(item, message.properties).map((name) => `${path}.${name}`),
    ...parts.flatMap((each, index) => nativePartFields(each, `${path}.content[${index}]`)),
    ...calls.flatMap((each, index) =>
      nativeFunctionFields(each, functionCall, `${path}.tool_calls[${index}]`),
    ),
  ]
}

const details: ReadonlySet<unknown> = new Set([undefined, 'auto', 'low', 'high'])

function nativePartFields(item: AnyPart, path: string): readonly NativeField[] {
  if (!isDescribedPart(item)) return [{ path: `${path}.type`, value: item.type }]
  const own = unknownFields(item, described[item.type]).map((name) => `${path}.${name}`)
  switch (item.type) {
    case 'image_url': {
      const inside = unknownFields(item.image_url, described.image_url.image_url.properties)
      const detail = details.has(item.image_url.detail) ? [] : ['detail']
      return [...own, ...[...inside, ...detail].map((name) => `${path}.image_url.${name}`)]
    }
    case 'file': {
      const inside = unknownFields(item.file, described.file.file.properties)
      return [...own, ...inside.map((name) => `${path}.file.${name}`)]
    }
    default:
      return own
  }
}

/** The fields of a tool or a tool call besides those of a function. */
function nativeFunctionFields(
  item: FunctionTool | FunctionCall | { readonly type: string },
  known: typeof functionTool | typeof functionCall,
  path: string,
): readonly NativeField[] {
  if (!isFunction(item)) return [{ path: `${path}.type`, value: item.type }]
  return [
    ...unknownFields(item, known).map((name) => `${path}.${name}`),
    ...unknownFields(item.function, known.function.properties).map((name) => `${path}.function.${name}`),
  ]
}
