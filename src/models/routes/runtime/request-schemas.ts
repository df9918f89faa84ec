import { type Static, Type } from 'typebox'
import type { JsonSchema } from '../../providers/provider.ts'
import { modelNameSchema } from '../requests/model-name.ts'
import {
  type CheckedFields,
  cleanFields,
  type Fields,
  type InertFields,
  isFields,
  withoutEmptyFields,
} from '../requests/unsupported-fields.ts'

/* The request bodies of the model runtime. `to-model-call.ts` separates the fields that only nodes support. */

const maxOptions = 64

const options = Type.Object(
  {
    temperature: Type.Optional(Type.Number({ minimum: 0 })),
    top_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    top_k: Type.Optional(Type.Integer()),
    min_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    seed: Type.Optional(Type.Integer()),
    num_predict: Type.Optional(Type.Integer({ description: 'Maximum tokens of the response.' })),
    stop: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), { maxItems: 64 })),
    presence_penalty: Type.Optional(Type.Number()),
    frequency_penalty: Type.Optional(Type.Number()),
  },
  {
    additionalProperties: Type.Union([
      Type.Number(),
      Type.Boolean(),
      Type.String({ maxLength: 1024 }),
      Type.Array(Type.String({ maxLength: 1024 }), { maxItems: 64 }),
    ]),
    maxProperties: maxOptions,
    description: 'Further options are for the runtime: only nodes of the cluster support them.',
  },
)

const format = Type.Union(
  [
    Type.Enum(['', 'json']),
    Type.Unsafe<JsonSchema>({ type: 'object', additionalProperties: true, description: 'A JSON schema.' }),
  ],
  { description: '`json`, or a JSON schema for the output.' },
)

const onlyNodes = { description: 'Only nodes of the cluster support this field.' }

/** How long a node keeps the model in memory. Other providers load no models and ignore it. */
const keepAlive = Type.Optional(
  Type.Union([Type.String({ maxLength: 32 }), Type.Number()], {
    description: 'How long a node of the cluster keeps the model in memory; other providers ignore it.',
  }),
)

const shared = {
  model: modelNameSchema,
  stream: Type.Optional(
    Type.Boolean({ default: true, description: 'Streams the response as lines of JSON.' }),
  ),
  format: Type.Optional(format),
  options: Type.Optional(options),
  keep_alive: keepAlive,
  think: Type.Optional(
    Type.Union([Type.Boolean(), Type.Enum(['low', 'medium', 'high', 'max'])], {
      description: 'Whether, or how much, the model reasons before its response.',
    }),
  ),
  logprobs: Type.Optional(Type.Boolean(onlyNodes)),
  top_logprobs: Type.Optional(Type.Integer({ minimum: 0, maximum: 20, ...onlyNodes })),
  truncate: Type.Optional(Type.Boolean(onlyNodes)),
  shift: Type.Optional(Type.Boolean(onlyNodes)),
}

const images = Type.Array(Type.String({ minLength: 1, description: 'In base64.' }), { maxItems: 64 })

/* Nodes get fields that are not described here as they are; for models of other providers these are refused by name. */
const open = { additionalProperties: true }

export const generateRequestSchema = Type.Object(
  {
    ...shared,
    prompt: Type.Optional(Type.String({ default: '' })),
    system: Type.Optional(Type.String()),
    suffix: Type.Optional(Type.String(onlyNodes)),
    template: Type.Optional(Type.String(onlyNodes)),
    raw: Type.Optional(Type.Boolean(onlyNodes)),
    context: Type.Optional(Type.Array(Type.Integer(), { maxItems: 262_144, ...onlyNodes })),
    images: Type.Optional(images),
  },
  open,
)

const jsonObject = Type.Unsafe<JsonSchema>({ type: 'object', additionalProperties: true })

const toolCall = Type.Object(
  {
    id: Type.Optional(Type.String({ maxLength: 512 })),
    function: Type.Object(
      { name: Type.String({ minLength: 1, maxLength: 512 }), arguments: Type.Optional(jsonObject) },
      open,
    ),
  },
  open,
)

const message = Type.Object(
  {
    role: Type.Enum(['system', 'user', 'assistant', 'tool']),
    content: Type.Optional(Type.String({ default: '' })),
    thinking: Type.Optional(Type.String({ description: 'The reasoning of the model.' })),
    images: Type.Optional(images),
    tool_calls: Type.Optional(Type.Array(toolCall, { maxItems: 256 })),
    tool_name: Type.Optional(
      Type.String({ maxLength: 512, description: 'The tool of a result, in messages of the role `tool`.' }),
    ),
    tool_call_id: Type.Optional(Type.String({ maxLength: 512 })),
  },
  open,
)

const tool = Type.Object(
  {
    type: Type.Optional(Type.String({ maxLength: 64 })),
    function: Type.Object(
      {
        name: Type.String({ minLength: 1, maxLength: 512 }),
        description: Type.Optional(Type.String({ maxLength: 65_536 })),
        parameters: Type.Optional(jsonObject),
      },
      open,
    ),
  },
  open,
)

export const chatRequestSchema = Type.Object(
  {
    ...shared,
    messages: Type.Optional(Type.Array(message, { default: [] })),
    tools: Type.Optional(Type.Array(tool, { maxItems: 256 })),
  },
  open,
)

const embedFields = { model: modelNameSchema, options: Type.Optional(options), keep_alive: keepAlive }

export const embedRequestSchema = Type.Object(
  {
    ...embedFields,
    input: Type.Union([
      Type.String({ minLength: 1 }),
      Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 2048 }),
    ]),
    dimensions: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    truncate: Type.Optional(Type.Boolean(onlyNodes)),
  },
  open,
)

/** The older request for one embedding. */
export const embeddingsRequestSchema = Type.Object(
  { ...embedFields, prompt: Type.String({ minLength: 1 }) },
  open,
)

export type GenerateRequestBody = Static<typeof generateRequestSchema>
export type ChatRequestBody = Static<typeof chatRequestSchema>
export type EmbedRequestBody = Static<typeof embedRequestSchema>
export type EmbeddingsRequestBody = Static<typeof embeddingsRequestSchema>

/** Values that request nothing. */
const inertTextFields: InertFields = {
  tools: { unless: [[]] },
  logprobs: { unless: [false] },
  top_logprobs: { unless: [0] },
}

const inertMessageFields: InertFields = {
  images: { unless: [[]] },
  thinking: { unless: [''] },
  tool_calls: { unless: [[]] },
  tool_name: { unless: [''] },
  tool_call_id: { unless: [''] },
}

const inertEmbedFields: InertFields = { truncate: { unless: [true] } }

/** The fields without nulls and values that request nothing, messages and options included. */
function cleanInside(fields: Fields): CheckedFields {
  const { messages, options: given } = fields
  return {
    fields: {
      ...fields,
      ...(isFields(given) && { options: withoutEmptyFields(given, {}) }),
      ...(Array.isArray(messages) && {
        messages: messages.map((item: unknown) =>
          isFields(item) ? withoutEmptyFields(item, inertMessageFields) : item,
        ),
      }),
    },
    problems: [],
  }
}

/** The preValidation hooks of calls. */
export const cleanTextFields = cleanFields(inertTextFields, cleanInside)
export const cleanEmbedFields = cleanFields(inertEmbedFields, cleanInside)
