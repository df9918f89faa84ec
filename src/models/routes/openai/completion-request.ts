import { type Static, Type } from 'typebox'
import type { InertFields } from '../requests/unsupported-fields.ts'
import { inertSamplingFields, nativeStreamOptions, samplingFields, unknownFields } from './request-fields.ts'

const token = Type.Integer({ minimum: 0 })

export const completionRequestSchema = Type.Object(
  {
    ...samplingFields,
    prompt: Type.Union(
      [
        Type.String(),
        Type.Array(Type.String(), { minItems: 1, maxItems: 2048 }),
        Type.Array(token, { minItems: 1 }),
        Type.Array(Type.Array(token, { minItems: 1 }), { minItems: 1, maxItems: 2048 }),
      ],
      {
        description:
          'A text or a list with one text. Only providers with the OpenAI protocol support several prompts, and prompts in tokens.',
      },
    ),
    suffix: Type.Optional(
      Type.String({ description: 'The text after the completion. Only nodes of the cluster support it.' }),
    ),
  },
  { additionalProperties: true },
)

export type CompletionRequestBody = Static<typeof completionRequestSchema>

export const inertCompletionFields: InertFields = {
  ...inertSamplingFields,
  best_of: { unless: [1] },
  echo: { unless: [false] },
}

/** The fields that only providers with the OpenAI protocol get. */
export function nativeCompletionFields(body: CompletionRequestBody): readonly string[] {
  const { prompt } = body
  const isOneText = [prompt].flat().length === 1 && typeof [prompt].flat()[0] === 'string'
  return [
    ...unknownFields(body, completionRequestSchema.properties),
    ...nativeStreamOptions(body),
    ...(isOneText ? [] : ['prompt']),
  ]
}
