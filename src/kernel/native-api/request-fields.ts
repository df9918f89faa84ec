import { isDeepStrictEqual } from 'node:util'
import { type Static, Type } from 'typebox'
import type { JsonSchema } from './call.ts'

/* The fields of requests, without `model`, whose names differ between APIs. */

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

/* Fields that are not described here belong to newer versions of the runtime. */
const open = { additionalProperties: true }

export const generateFields = {
  ...shared,
  prompt: Type.Optional(Type.String({ default: '' })),
  system: Type.Optional(Type.String()),
  suffix: Type.Optional(Type.String(onlyNodes)),
  template: Type.Optional(Type.String(onlyNodes)),
  raw: Type.Optional(Type.Boolean(onlyNodes)),
  context: Type.Optional(Type.Array(Type.Integer(), { maxItems: 262_144, ...onlyNodes })),
  images: Type.Optional(images),
}

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

export const chatFields = {
  ...shared,
  messages: Type.Optional(Type.Array(message, { default: [] })),
  tools: Type.Optional(Type.Array(tool, { maxItems: 256 })),
}

const commonEmbedFields = { options: Type.Optional(options), keep_alive: keepAlive }

export const embedFields = {
  ...commonEmbedFields,
  input: Type.Union([
    Type.String({ minLength: 1 }),
    Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 2048 }),
  ]),
  dimensions: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  truncate: Type.Optional(Type.Boolean(onlyNodes)),
}

/** The older request for one embedding. */
export const embeddingsFields = { ...commonEmbedFields, prompt: Type.String({ minLength: 1 }) }

const model = Type.String()
const generateBody = Type.Object({ model, ...generateFields }, open)
const chatBody = Type.Object({ model, ...chatFields }, open)
const embedBody = Type.Object({ model, ...embedFields }, open)
const embeddingsBody = Type.Object({ model, ...embeddingsFields }, open)

export type GenerateBody = Static<typeof generateBody>
export type ChatBody = Static<typeof chatBody>
export type EmbedBody = Static<typeof embedBody>
export type EmbeddingsBody = Static<typeof embeddingsBody>

type Fields = Readonly<Record<string, unknown>>

/** Fields with the values that have no effect. */
export type InertFields = Readonly<Record<string, { readonly unless?: readonly unknown[] }>>

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The fields without nulls and without values that have no effect. */
export function withoutEmptyFields(fields: Fields, inert: InertFields): Fields {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value !== null && !isNoOp(inert, name, value)),
  )
}

function isNoOp(inert: InertFields, name: string, value: unknown): boolean {
  const field = Object.hasOwn(inert, name) ? inert[name] : undefined
  return field?.unless?.some((harmless) => isDeepStrictEqual(value, harmless)) === true
}

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

/** A text request without nulls and values that request nothing, messages and options included. */
export function cleanTextFields(given: Fields): Fields {
  return cleanInside(withoutEmptyFields(given, inertTextFields))
}

/** A request for embeddings without nulls and values that request nothing. */
export function cleanEmbedFields(given: Fields): Fields {
  return cleanInside(withoutEmptyFields(given, inertEmbedFields))
}

function cleanInside(fields: Fields): Fields {
  const { messages, options: given } = fields
  return {
    ...fields,
    ...(isFields(given) && { options: withoutEmptyFields(given, {}) }),
    ...(Array.isArray(messages) && {
      messages: messages.map((item: unknown) =>
        isFields(item) ? withoutEmptyFields(item, inertMessageFields) : item,
      ),
    }),
  }
}
