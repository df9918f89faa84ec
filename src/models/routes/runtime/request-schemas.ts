import { type Static, Type } from 'typebox'
import type { JsonSchema } from '../../providers/provider.ts'
import { modelNameSchema } from '../requests/model-name.ts'
import type { RefusedFields } from '../requests/unsupported-fields.ts'

/* The request bodies of the model runtime. `routes.ts` separates the fields that only nodes support. */

const maxOptions = 64

const options = Type.Object(
  {
    temperature: Type.Optional(Type.Number({ minimum: 0 })),
    top_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
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

const shared = {
  model: modelNameSchema,
  stream: Type.Optional(
    Type.Boolean({ default: true, description: 'Streams the response as lines of JSON.' }),
  ),
  format: Type.Optional(format),
  options: Type.Optional(options),
  keep_alive: Type.Optional(Type.Union([Type.String({ maxLength: 32 }), Type.Number()], onlyNodes)),
  think: Type.Optional(Type.Union([Type.Boolean(), Type.Enum(['low', 'medium', 'high', 'max'])], onlyNodes)),
  truncate: Type.Optional(Type.Boolean(onlyNodes)),
  shift: Type.Optional(Type.Boolean(onlyNodes)),
}

const images = Type.Array(Type.String({ description: 'In base64.' }), { maxItems: 64, ...onlyNodes })

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
  { additionalProperties: false },
)

const message = Type.Object(
  {
    role: Type.Enum(['system', 'user', 'assistant']),
    content: Type.String(),
    thinking: Type.Optional(Type.String(onlyNodes)),
    images: Type.Optional(images),
  },
  { additionalProperties: false },
)

export const chatRequestSchema = Type.Object(
  { ...shared, messages: Type.Array(message) },
  { additionalProperties: false },
)

export const embedRequestSchema = Type.Object(
  {
    model: modelNameSchema,
    input: Type.Union([
      Type.String({ minLength: 1 }),
      Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 2048 }),
    ]),
    dimensions: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  },
  { additionalProperties: false },
)

export type GenerateRequestBody = Static<typeof generateRequestSchema>
export type ChatRequestBody = Static<typeof chatRequestSchema>
export type EmbedRequestBody = Static<typeof embedRequestSchema>

const noTools = 'tool calls are not supported'
const noLogprobs = 'token probabilities are not available'
const noPictures = 'image generation is not available'

export const refusedRuntimeFields: RefusedFields = {
  tools: { because: noTools, unless: [[]] },
  logprobs: { because: noLogprobs, unless: [false] },
  top_logprobs: { because: noLogprobs, unless: [0] },
  width: { because: noPictures },
  height: { because: noPictures },
  steps: { because: noPictures },
}

export const refusedMessageFields: RefusedFields = {
  tool_calls: { because: noTools, unless: [[]] },
  tool_name: { because: noTools, unless: [''] },
  tool_call_id: { because: noTools, unless: [''] },
}

export const refusedEmbedFields: RefusedFields = {
  truncate: { because: 'the model decides how to truncate inputs', unless: [true] },
  keep_alive: { because: 'the node decides how long a model stays loaded' },
  options: { because: 'the settings of the model apply', unless: [{}] },
}
