import { type Static, Type } from 'typebox'
import { modelNameSchema } from '../asked/model-name.ts'
import { labelFields } from './fields.ts'

export const embeddingBody = Type.Object(
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
        description: '`base64` has the numbers as 32-bit floats, the low byte first.',
      }),
    ),
    ...labelFields,
  },
  { additionalProperties: false },
)

export type EmbeddingBody = Static<typeof embeddingBody>
