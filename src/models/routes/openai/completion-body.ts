import { type Static, Type } from 'typebox'
import type { RefusedFields } from '../asked/take-fields.ts'
import { refusedSamplingFields, samplingFields } from './fields.ts'

export const completionBody = Type.Object(
  {
    ...samplingFields,
    prompt: Type.String({ description: 'A text, or a list with one.' }),
    suffix: Type.Optional(
      Type.String({ description: 'What comes after the answer. Understood by nodes of the cluster alone.' }),
    ),
  },
  { additionalProperties: false },
)

export type CompletionBody = Static<typeof completionBody>

export const refusedCompletionFields: RefusedFields = {
  ...refusedSamplingFields,
  best_of: { because: 'there is one answer to a call', unless: [1] },
  echo: { because: 'the prompt is not repeated', unless: [false] },
}
