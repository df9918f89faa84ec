import { type TProperties, Type } from 'typebox'
import { schemas } from '#executions-api'

export const {
  executionStates,
  flag,
  freeForm,
  integer,
  maybeInteger,
  maybeNumber,
  maybeText,
  number,
  text,
  texts,
  unpriced,
} = schemas

/** A time as callers write it. Leap seconds are refused, because `Date` does not support them. */
export const moment = (description: string) =>
  Type.String({
    format: 'date-time',
    pattern: '[tT ]\\d\\d:\\d\\d:[0-5]',
    'x-means': 'must be a date with time and offset, such as 2031-05-20T09:30:00Z',
    description,
  })

/** Any JSON, such as the output of a flow. */
export const anything = (description: string) => Type.Unknown({ description })

export const numbersBy = (description: string) =>
  Type.Unsafe<Readonly<Record<string, number>>>({
    type: 'object',
    additionalProperties: { type: 'number' },
    description,
  })

/** An object or null. */
export function maybePart<Fields extends TProperties>(fields: Fields, description: string) {
  return Type.Union([Type.Object(fields), Type.Null()], { description })
}

export const estimateSources =
  'The source of the estimates: `flow_history`, `step_type_history`, `catalogue` or `metadata`; null without estimates.'
