import { Type } from 'typebox'
import { modelNameSchema } from '../requests/model-name.ts'
import type { InertFields } from '../requests/unsupported-fields.ts'

/* Fields of several request bodies. In all of them, null means that a field is absent. */

const tokens = (description: string) =>
  Type.Optional(Type.Integer({ minimum: 1, maximum: 2_147_483_647, description }))

/** A label of the call, which is written to the log and not sent to the model. */
export const labelFields = {
  user: Type.Optional(
    Type.String({
      maxLength: 512,
      description: 'The end user of the call, for the log of this platform.',
    }),
  ),
}

/** Sampling, length and streaming of a response. */
export const samplingFields = {
  model: modelNameSchema,
  max_tokens: tokens('Maximum tokens of the response.'),
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
    Type.Boolean({ default: false, description: 'Streams the response as server-sent events.' }),
  ),
  stream_options: Type.Optional(
    Type.Object(
      {
        include_usage: Type.Optional(
          Type.Boolean({ description: 'Sends the usage in an additional event before the last one.' }),
        ),
        include_obfuscation: Type.Optional(Type.Boolean()),
      },
      { additionalProperties: false },
    ),
  ),
  ...labelFields,
}

/** `max_tokens` by its newer name. */
export const maxCompletionTokens = tokens('The newer name of `max_tokens`; one of the two.')

/** Values of text calls that request nothing. */
export const inertSamplingFields: InertFields = {
  n: { unless: [1] },
  logprobs: { unless: [false] },
  logit_bias: { unless: [{}] },
}

/** The names of the fields that a schema does not describe. */
export function unknownFields(
  fields: object,
  described: Readonly<Record<string, unknown>>,
): readonly string[] {
  return Object.keys(fields).filter((name) => !Object.hasOwn(described, name))
}

/** The fields of `stream_options` that request more than the usage. */
export function nativeStreamOptions({
  stream_options: options,
}: {
  readonly stream_options?: { readonly include_obfuscation?: boolean | undefined } | undefined
}): readonly string[] {
  return options?.include_obfuscation === true ? ['stream_options.include_obfuscation'] : []
}
