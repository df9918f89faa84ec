import { Type } from 'typebox'

/** A number that may be unknown. */
export const maybeNumber = (description: string) =>
  Type.Unsafe<number | null>({ type: 'number', nullable: true, description })

export const maybeInteger = (description: string) =>
  Type.Unsafe<number | null>({ type: 'integer', nullable: true, description })

export const maybeText = (description: string) =>
  Type.Unsafe<string | null>({ type: 'string', nullable: true, description })

export const integer = (description: string) => Type.Integer({ description })
export const number = (description: string) => Type.Number({ description })
export const text = (description: string) => Type.String({ description })
export const flag = (description: string) => Type.Boolean({ description })
export const texts = (description: string) => Type.Array(Type.String(), { description })

/** An object with keys of its own choosing. */
export const freeForm = (description: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: true, description })

/** Beside every cost of steps and executions. */
export const unpriced = flag(
  'A model whose price is not known answered: it counts as 0, and the cost is not complete.',
)
