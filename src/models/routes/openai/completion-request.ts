import { type Static, Type } from 'typebox'
import type { RefusedFields } from '../requests/unsupported-fields.ts'
import { refusedSamplingFields, samplingFields } from './request-fields.ts'

export const completionRequestSchema = Type.Object(
  {
    ...samplingFields,
    prompt: Type.String({ description: 'A text, or a list with one text.' }),
    suffix: Type.Optional(
      Type.String({ description: 'The text after the completion. Only nodes of the cluster support it.' }),
    ),
  },
  { additionalProperties: false },
)

export type CompletionRequestBody = Static<typeof completionRequestSchema>

export const refusedCompletionFields: RefusedFields = {
  ...refusedSamplingFields,
  best_of: { because: 'a call has one choice', unless: [1] },
  echo: { because: 'the prompt is not repeated', unless: [false] },
}
