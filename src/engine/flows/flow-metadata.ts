import { type Static, Type } from 'typebox'
import type { Problem } from '#kernel/errors'
import { createValueCheck, oneLine, oneLineOrEmpty } from '#kernel/http'
import { dollars, microDollars } from '../definition/values.ts'
import { readEstimatedMs } from './estimated-duration.ts'

const coordinate = (description: string) =>
  Type.Number({ minimum: -1_000_000, maximum: 1_000_000, description })

/**
 * Any name will do: places of steps that are gone, or not called rightly yet, have no effect. They are kept, so that what was saved can be
 * sent again as it is.
 */
const Layout = Type.Record(
  Type.String({ pattern: '^.{1,200}$' }),
  Type.Object(
    {
      x: coordinate('How far to the right, in pixels; negative: to the left.'),
      y: coordinate('How far down, in pixels; negative: up.'),
    },
    { additionalProperties: false },
  ),
  {
    maxProperties: 500,
    additionalProperties: false,
    description:
      'Where steps stand when the flow is drawn, by their ids: the place of the upper left corner. Steps that are not in it are laid out.',
  },
)

/** What people know about a flow besides what it does. Stored with each version. */
export const FlowMetadata = Type.Object(
  {
    created_by: Type.Optional(
      Type.String({
        maxLength: 200,
        ...oneLineOrEmpty,
        description: 'Who made it, as people say it. Default: the username of whoever saves it first.',
      }),
    ),
    department: Type.Optional(
      Type.String({
        maxLength: 200,
        ...oneLineOrEmpty,
        description: 'Whom it belongs to. Lists can be narrowed to it.',
      }),
    ),
    use_cases: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
        maxItems: 50,
        description: 'What it is good for. Lists are searched by it, and recommendations go by it.',
      }),
    ),
    estimated_duration: Type.Optional(
      Type.Union([Type.Number({ minimum: 0, maximum: 604_800 }), Type.String({ maxLength: 64 })], {
        description:
          'Seconds, or a text such as `90s`, `2 minutes` or `3-5 minutes` (the middle counts). The estimate until executions have shown better.',
      }),
    ),
    estimated_cost: Type.Optional(
      dollars(
        'Dollars that one execution is expected to cost. The estimate until prices or executions tell better.',
      ),
    ),
    complexity_level: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 32,
        ...oneLine,
        description: 'In whatever words are used in the house. Lists can be narrowed to it.',
      }),
    ),
    approval_required: Type.Optional(
      Type.Boolean({
        description:
          'Whether every execution waits until somebody who manages workflows agrees. Default: false.',
      }),
    ),
    layout: Type.Optional(Layout),
  },
  { additionalProperties: false, description: 'What people know about a flow besides what it does.' },
)

export type FlowMetadata = Static<typeof FlowMetadata>

const checkShape = createValueCheck(FlowMetadata)

/** Everything that is wrong with metadata, with paths that begin with `metadata`. */
export function checkMetadata(given: unknown): Problem[] {
  const problems = checkShape(given).map((problem) => ({
    ...problem,
    path: problem.path === '' ? 'metadata' : `metadata.${problem.path}`,
  }))
  if (problems.length > 0) return problems
  const { estimated_duration: duration } = given as FlowMetadata
  if (typeof duration !== 'string' || readEstimatedMs(duration) !== undefined) return []
  const message = 'must be seconds, or a text such as 90s, 2 minutes or 3-5 minutes'
  return [{ path: 'metadata.estimated_duration', message, code: 'duration' }]
}

/** What its author expects an execution to take; null where nothing is said. */
export function expectationsIn({
  estimated_duration: duration,
  estimated_cost: cost,
}: Pick<FlowMetadata, 'estimated_duration' | 'estimated_cost'>): {
  readonly durationMs: number | null
  readonly microDollars: number | null
} {
  return {
    durationMs: duration === undefined ? null : (readEstimatedMs(duration) ?? null),
    microDollars: cost === undefined ? null : microDollars(cost),
  }
}
