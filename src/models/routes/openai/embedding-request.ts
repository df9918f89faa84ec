import { type Static, Type } from 'typebox'
import { modelNameSchema } from '../requests/model-name.ts'
import { labelFields } from './request-fields.ts'

export const embeddingRequestSchema = Type.Object(
  {
    model: modelNameSchema,
    input: Type.Union([
      Type.String({ minLength: 1 }),
      Type.Array(Type.String({ minLength: 1 }), { minItems: 1, maxItems: 2048 }),
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
  { additionalProperties: false },
)

export type EmbeddingRequestBody = Static<typeof embeddingRequestSchema>
