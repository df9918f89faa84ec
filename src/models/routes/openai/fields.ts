import { Type } from 'typebox'
import { modelNameSchema } from '../asked/model-name.ts'
import type { RefusedFields } from '../asked/take-fields.ts'

/* What the bodies of several routes have in common. A field that is null is as good as left out, in all of them. */

const tokens = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description }))

/** Says who or what a call is for. It goes to no model; the log line of the request has it. */
export const labelFields = {
  user: Type.Optional(
    Type.String({
      maxLength: 512,
      description: 'Who the call is for; told in the log of this platform alone.',
    }),
  ),
}

/** How an answer is sampled, bounded and sent. */
export const samplingFields = {
  model: modelNameSchema,
  max_tokens: tokens('Tokens of the answer at most.'),
  temperature: Type.Optional(Type.Number({ minimum: 0, maximum: 2 })),
  top_p: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  seed: Type.Optional(Type.Integer()),
  stop: Type.Optional(
    Type.Union([
      Type.String({ minLength: 1, maxLength: 1024 }),
      Type.Array(Type.String({ minLength: 1, maxLength: 1024 }), { minItems: 1, maxItems: 16 }),
    ]),
  ),
  presence_penalty: Type.Optional(Type.Number({ minimum: -2, maximum: 2 })),
  frequency_penalty: Type.Optional(Type.Number({ minimum: -2, maximum: 2 })),
  stream: Type.Optional(
    Type.Boolean({ default: false, description: 'Server-sent events, as the answer comes.' }),
  ),
  stream_options: Type.Optional(
    Type.Object(
      {
        include_usage: Type.Optional(
          Type.Boolean({ description: 'One more event before the last, with the tokens of the call.' }),
        ),
        include_obfuscation: Type.Optional(Type.Literal(false)),
      },
      { additionalProperties: false },
    ),
  ),
  ...labelFields,
}

/** `max_tokens` by its newer name. */
export const maxCompletionTokens = tokens('The newer name of `max_tokens`; one of the two.')

const noLogprobs = 'probabilities of tokens are not passed on'

/** Refused with every answer in text. */
export const refusedSamplingFields: RefusedFields = {
  n: { because: 'there is one answer to a call', unless: [1] },
  logprobs: { because: noLogprobs, unless: [false] },
  logit_bias: { because: 'tokens are not weighed', unless: [{}] },
}
