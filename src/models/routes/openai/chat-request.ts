import { type Static, Type } from 'typebox'
import { type JsonSchema, reasoningEfforts } from '../../providers/provider.ts'
import type { InertFields } from '../requests/unsupported-fields.ts'
import {
  inertSamplingFields,
  maxCompletionTokens,
  nativeStreamOptions,
  samplingFields,
  unknownFields,
} from './request-fields.ts'

const closed = { additionalProperties: false }

/** A URL of a web page, or the data itself. */
const mediaUrl = Type.String({
  pattern: '^(https?://|data:[A-Za-z0-9.+-]+/[A-Za-z0-9.+-]+;base64,)',
  'x-means': 'must be an http or https URL, or a data URL in base64',
})

const part = Type.Union([
  Type.Object({ type: Type.Literal('text'), text: Type.String() }, closed),
  Type.Object(
    {
      type: Type.Literal('image_url'),
      image_url: Type.Object(
        { url: mediaUrl, detail: Type.Optional(Type.Enum(['auto', 'low', 'high'])) },
        closed,
      ),
    },
    closed,
  ),
  Type.Object(
    {
      type: Type.Literal('input_audio'),
      input_audio: Type.Object({ data: Type.String(), format: Type.Enum(['wav', 'mp3']) }, closed),
    },
    closed,
  ),
  Type.Object(
    {
      type: Type.Literal('file'),
      file: Type.Object(
        { file_data: mediaUrl, filename: Type.Optional(Type.String({ maxLength: 512 })) },
        closed,
      ),
    },
    closed,
  ),
  Type.Object({ type: Type.Literal('refusal'), refusal: Type.String() }, closed),
])

const toolName = Type.String({
  pattern: '^[A-Za-z0-9_.-]{1,128}$',
  maxLength: 128,
  'x-means': 'must be up to 128 letters, digits, dots, hyphens and underscores',
})

const toolCall = Type.Object(
  {
    id: Type.String({ minLength: 1, maxLength: 512 }),
    type: Type.Literal('function'),
    function: Type.Object({ name: toolName, arguments: Type.String() }, closed),
    index: Type.Optional(Type.Integer()),
  },
  closed,
)

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

const tool = Type.Object(
  {
    type: Type.Literal('function'),
    function: Type.Object(
      {
        name: toolName,
        description: Type.Optional(Type.String({ maxLength: 65_536 })),
        parameters: Type.Optional(Type.Unsafe<JsonSchema>({ type: 'object', additionalProperties: true })),
        strict: Type.Optional(
          Type.Boolean({ description: 'Whether the arguments must satisfy the schema.' }),
        ),
      },
      closed,
    ),
  },
  closed,
)

const toolChoice = Type.Union([
  Type.Enum(['none', 'auto', 'required']),
  Type.Object({ type: Type.Literal('function'), function: Type.Object({ name: toolName }, closed) }, closed),
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

/** The fields that only providers with the OpenAI protocol get. */
export function nativeChatFields(body: ChatRequestBody): readonly string[] {
  return [
    ...unknownFields(body, chatRequestSchema.properties),
    ...nativeStreamOptions(body),
    ...body.messages.flatMap((item, index) =>
      unknownFields(item, message.properties).map((name) => `messages[${index}].${name}`),
    ),
  ]
}
