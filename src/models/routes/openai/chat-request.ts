import { type Static, Type } from 'typebox'
import type { JsonSchema } from '../../providers/provider.ts'
import type { RefusedFields } from '../requests/unsupported-fields.ts'
import { maxCompletionTokens, refusedSamplingFields, samplingFields } from './request-fields.ts'

const textPart = Type.Object(
  { type: Type.Literal('text'), text: Type.String() },
  { additionalProperties: false },
)

const message = Type.Object(
  {
    role: Type.Enum(['developer', 'system', 'user', 'assistant'], {
      description: '`developer` is the newer name of `system`.',
    }),
    content: Type.Union([Type.String(), Type.Array(textPart, { minItems: 1 })], {
      description: 'A text, or text parts, which are joined by line breaks.',
    }),
    reasoning_content: Type.Optional(
      Type.String({
        description: 'The reasoning of an earlier response. It is not sent to the model again.',
      }),
    ),
  },
  { additionalProperties: false },
)

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
  { additionalProperties: false },
)

export type ChatRequestBody = Static<typeof chatRequestSchema>

const noTools = 'tool calls are not supported'
const noSound = 'models generate text only'
const noPromptCache = 'the prompt cache of a provider cannot be controlled'

export const refusedChatFields: RefusedFields = {
  ...refusedSamplingFields,
  tools: { because: noTools, unless: [[]] },
  tool_choice: { because: noTools, unless: ['none', 'auto'] },
  parallel_tool_calls: { because: noTools, unless: [true, false] },
  functions: { because: noTools, unless: [[]] },
  function_call: { because: noTools, unless: ['none', 'auto'] },
  top_logprobs: { because: 'token probabilities are not available', unless: [0] },
  audio: { because: noSound },
  modalities: { because: noSound, unless: [['text']] },
  prediction: { because: 'predicted outputs are not supported' },
  web_search_options: { because: 'web search is not available' },
  moderation: { because: 'moderation is not available' },
  service_tier: { because: 'there is only one service tier', unless: ['auto', 'default'] },
  store: { because: 'responses are not stored', unless: [false] },
  reasoning_effort: { because: 'the reasoning effort is not passed to the model' },
  verbosity: { because: 'the verbosity is not passed to the model', unless: ['medium'] },
  prompt_cache_key: { because: noPromptCache },
  prompt_cache_options: { because: noPromptCache },
  prompt_cache_retention: { because: noPromptCache },
}

export const refusedMessageFields: RefusedFields = {
  name: { because: 'models get only the role of a message' },
  tool_calls: { because: noTools, unless: [[]] },
  tool_call_id: { because: noTools },
  function_call: { because: noTools },
  audio: { because: noSound },
  refusal: { because: 'put it into the content' },
  annotations: { because: 'models get text only', unless: [[]] },
}
