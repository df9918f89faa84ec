import { Type } from 'typebox'

/** What a request gives to be worked on: any JSON but null, which means that there is none. */
export function contentField(description: string) {
  return Type.Optional(
    Type.Unsafe<unknown>({
      anyOf: [
        { type: 'string' },
        { type: 'number' },
        { type: 'boolean' },
        { type: 'object', additionalProperties: true },
        { type: 'array', items: {} },
      ],
      description,
    }),
  )
}
