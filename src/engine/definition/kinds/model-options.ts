import { Type } from 'typebox'

/** The options of a model call; `model` is the description of the default model. */
export function modelOptions(model: string) {
  return {
    model: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: model })),
    temperature: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 2,
        description:
          'The sampling temperature: 0 is the most predictable, 2 the most varied. Default: that of the provider.',
      }),
    ),
    max_tokens: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description:
          'The maximum number of tokens of the response; a longer one is truncated. Default: that of the provider.',
      }),
    ),
  }
}
