import { type Static, Type } from 'typebox'
import type { JsonSchema } from '../../providers/provider.ts'
import { modelNameSchema } from '../asked/model-name.ts'
import type { RefusedFields } from '../asked/take-fields.ts'

/* The bodies of the model runtime. Its fields that only a node understands are told apart in `to-call.ts`. */

const mostOptions = 64

const options = Type.Object(
  {
    temperature: Type.Optional(Type.Number({ minimum: 0 })),
    top_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
    seed: Type.Optional(Type.Integer()),
    num_predict: Type.Optional(Type.Integer({ description: 'Tokens at most.' })),
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
    maxProperties: mostOptions,
    description: 'Others are for the runtime: with one of them only a node of the cluster can answer.',
  },
)

const format = Type.Union(
  [
    Type.Enum(['', 'json']),
    Type.Unsafe<JsonSchema>({ type: 'object', additionalProperties: true, description: 'A JSON schema.' }),
  ],
  { description: '`json`, or a JSON schema the answer is to satisfy.' },
)

const onlyNodes = { description: 'Understood by nodes of the cluster alone.' }

const shared = {
  model: modelNameSchema,
  stream: Type.Optional(Type.Boolean({ default: true, description: 'A line for each piece, as it comes.' })),
  format: Type.Optional(format),
  options: Type.Optional(options),
  keep_alive: Type.Optional(Type.Union([Type.String({ maxLength: 32 }), Type.Number()], onlyNodes)),
  think: Type.Optional(Type.Union([Type.Boolean(), Type.Enum(['low', 'medium', 'high', 'max'])], onlyNodes)),
  truncate: Type.Optional(Type.Boolean(onlyNodes)),
  shift: Type.Optional(Type.Boolean(onlyNodes)),
}

const images = Type.Array(Type.String({ description: 'In base64.' }), { maxItems: 64, ...onlyNodes })

export const generateBody = Type.Object(
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

export const chatBody = Type.Object(
  { ...shared, messages: Type.Array(message) },
  { additionalProperties: false },
)

export const embedBody = Type.Object(
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

export type GenerateBody = Static<typeof generateBody>
export type ChatBody = Static<typeof chatBody>
export type EmbedBody = Static<typeof embedBody>

const noTools = 'tools are not passed on to models'
const noLogprobs = 'probabilities of tokens are not passed on'
const noPictures = 'no pictures are made here'

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
  truncate: { because: 'inputs are shortened as the model does it', unless: [true] },
  keep_alive: { because: 'how long a model stays loaded is up to its node' },
  options: { because: 'the settings of the model hold', unless: [{}] },
}
