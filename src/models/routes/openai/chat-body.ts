import { type Static, Type } from 'typebox'
import type { JsonSchema } from '../../providers/provider.ts'
import type { RefusedFields } from '../asked/take-fields.ts'
import { maxCompletionTokens, refusedSamplingFields, samplingFields } from './fields.ts'

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
      description: 'A text, or parts of one, which are put together line by line.',
    }),
    reasoning_content: Type.Optional(
      Type.String({
        description: 'What the model thought before an earlier answer. It is not shown to a model again.',
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
                'An answer in one piece satisfies the schema, or the call fails; with false the model is only asked to.',
            }),
          ),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)

export const chatBody = Type.Object(
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
        description: 'What the call is about; told in the log of this platform alone.',
      }),
    ),
  },
  { additionalProperties: false },
)

export type ChatBody = Static<typeof chatBody>

const noTools = 'tools are not passed on to models'
const noSound = 'models here answer in text'
const noPromptCache = 'what a provider remembers of a prompt is its own affair'

export const refusedChatFields: RefusedFields = {
  ...refusedSamplingFields,
  tools: { because: noTools, unless: [[]] },
  tool_choice: { because: noTools, unless: ['none', 'auto'] },
  parallel_tool_calls: { because: noTools, unless: [true, false] },
  functions: { because: noTools, unless: [[]] },
  function_call: { because: noTools, unless: ['none', 'auto'] },
  top_logprobs: { because: 'probabilities of tokens are not passed on', unless: [0] },
  audio: { because: noSound },
  modalities: { because: noSound, unless: [['text']] },
  prediction: { because: 'an answer cannot be predicted' },
  web_search_options: { because: 'models here do not search the web' },
  moderation: { because: 'nothing is moderated here' },
  service_tier: { because: 'every call has the same one', unless: ['auto', 'default'] },
  store: { because: 'answers are not kept', unless: [false] },
  reasoning_effort: { because: 'how long a model thinks is not passed on' },
  verbosity: { because: 'how much a model says is not passed on', unless: ['medium'] },
  prompt_cache_key: { because: noPromptCache },
  prompt_cache_options: { because: noPromptCache },
  prompt_cache_retention: { because: noPromptCache },
}

export const refusedMessageFields: RefusedFields = {
  name: { because: 'models are not told who speaks, besides the role' },
  tool_calls: { because: noTools, unless: [[]] },
  tool_call_id: { because: noTools },
  function_call: { because: noTools },
  audio: { because: noSound },
  refusal: { because: 'say it in the content' },
  annotations: { because: 'models are shown text alone', unless: [[]] },
}
