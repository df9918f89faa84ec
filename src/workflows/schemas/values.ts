import { type TProperties, Type } from 'typebox'

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

/** A point in time as callers write it. Leap seconds have no place on the clocks that are compared with it. */
export const moment = (description: string) =>
  Type.String({
    format: 'date-time',
    pattern: '[tT ]\\d\\d:\\d\\d:[0-5]',
    'x-means': 'must be a date with time and offset, such as 2031-05-20T09:30:00Z',
    description,
  })

/** Whatever a flow makes: any JSON. */
export const anything = (description: string) => Type.Unknown({ description })

/** An object with keys of its own choosing. */
export const freeForm = (description: string) =>
  Type.Unsafe<Readonly<Record<string, unknown>>>({ type: 'object', additionalProperties: true, description })

export const numbersBy = (description: string) =>
  Type.Unsafe<Readonly<Record<string, number>>>({
    type: 'object',
    additionalProperties: { type: 'number' },
    description,
  })

/** A part that may be absent as a whole. */
export function maybePart<Fields extends TProperties>(fields: Fields, description: string) {
  return Type.Union([Type.Object(fields), Type.Null()], { description })
}

export const executionStates = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const

export const estimateSources =
  'What estimates were learned from: `flow_history`, `step_type_history`, `catalogue` or `metadata`; null without any.'

/** Beside every cost of steps and executions. */
export const unpriced = flag(
  'A model whose price is not known answered: it counts as 0, and the cost is not complete.',
)
