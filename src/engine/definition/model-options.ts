import { Type } from 'typebox'

/** What can be said about the model that is asked; `model` says which one it is when nothing is said. */
export function modelOptions(model: string) {
  return {
    model: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: model })),
    temperature: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 2,
        description:
          'How freely it answers: 0 is the most predictable, 2 the most varied. Default: what its provider has.',
      }),
    ),
    max_tokens: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1_000_000,
        description: 'Most tokens of the answer; a longer one is cut off. Default: what its provider has.',
      }),
    ),
  }
}
