import { type Static, Type } from 'typebox'
import { modelNameSchema } from '../requests/model-name.ts'
import { labelFields } from './request-fields.ts'

const maxInputs = 2048

const tokens = Type.Array(Type.Integer({ minimum: 0 }), {
  minItems: 1,
  maxItems: 131_072,
  description: 'A text as tokens of cl100k_base.',
})

/* Providers with the OpenAI protocol get fields that are not described here as they are. */
export const embeddingRequestSchema = Type.Object(
  {
    model: modelNameSchema,
    input: Type.Union([
      Type.String({ minLength: 1 }),
      Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: maxInputs }),
      tokens,
      Type.Array(tokens, { minItems: 1, maxItems: maxInputs }),
    ]),
    dimensions: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
    encoding_format: Type.Optional(
      Type.Enum(['float', 'base64'], {
        default: 'float',
        description: '`base64` encodes the numbers as little-endian 32-bit floats.',
      }),
    ),
    ...labelFields,
  },
  { additionalProperties: true },
)

export type EmbeddingRequestBody = Static<typeof embeddingRequestSchema>
