import { type Static, Type } from 'typebox'
import type { Problem } from '#kernel/errors'
import { createValueCheck, oneLine, oneLineOrEmpty } from '#kernel/http'
import { dollars, microDollars } from '../definition/values.ts'

const coordinate = (description: string) =>
  Type.Number({ minimum: -1_000_000, maximum: 1_000_000, description })

/** Step ids in `positions` are not checked: positions of unknown steps have no effect. They are kept, so that a saved flow can be sent back unchanged. */
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

/** Descriptive information about a flow. Stored with each version. */
export const FlowMetadata = Type.Object(
  {
    created_by: Type.Optional(
      Type.String({
        maxLength: 200,
        ...oneLineOrEmpty,
        description: 'The author of the flow. Default: the username of the account that creates it.',
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
        description: 'Use cases of the flow. Lists are searched by them, and recommendations use them.',
      }),
    ),
    estimated_duration: Type.Optional(
      Type.Union([Type.Number({ minimum: 0, maximum: 604_800 }), Type.String({ maxLength: 64 })], {
        description:
          'Seconds, or a text such as `90s`, `2 minutes` or `3-5 minutes` (the middle is used). Used as the estimate until history is available.',
      }),
    ),
    estimated_cost: Type.Optional(
      dollars(
        'The expected cost of one execution, in dollars. Used as the estimate until prices or history are available.',
      ),
    ),
    complexity_level: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 32,
        ...oneLine,
        description: 'The complexity of the flow, in your own terms. Lists can be filtered by it.',
      }),
    ),
    approval_required: Type.Optional(
      Type.Boolean({
        description:
          'Whether every execution waits for the approval of an account that manages workflows. Default: false.',
      }),
    ),
    sample: Type.Optional(
      Type.Boolean({
        description:
          'Whether the flow is an example to read and copy. Recommendations leave it out. Default: false.',
      }),
    ),
    sample_input: Type.Optional(
      Type.Unsafe<Readonly<Record<string, unknown>>>({
        type: 'object',
        additionalProperties: true,
        description:
          'A context of up to 64 KiB with which the flow can be tried; the console fills it in for a run. Default: the fields that the flow reads, empty.',
      }),
    ),
    layout: Type.Optional(Layout),
  },
  { additionalProperties: false, description: 'Descriptive information about a flow.' },
)

export type FlowMetadata = Static<typeof FlowMetadata>

/** Bytes. It is stored with every version. */
const maxSampleInput = 65_536

const checkShape = createValueCheck(FlowMetadata)

/** All problems of metadata, with paths that start with `metadata`. */
export function checkMetadata(given: unknown): Problem[] {
  const problems = checkShape(given).map((problem) => ({
    ...problem,
    path: problem.path === '' ? 'metadata' : `metadata.${problem.path}`,
  }))
  if (problems.length > 0) return problems
  const { estimated_duration: duration, sample_input: input = {} } = given as FlowMetadata
  if (Buffer.byteLength(JSON.stringify(input)) > maxSampleInput) {
    const message = 'must not be larger than 64 KiB as JSON'
    return [{ path: 'metadata.sample_input', message, code: 'maximum' }]
  }
  if (typeof duration !== 'string' || readEstimatedMs(duration) !== undefined) return []
  const message = 'must be seconds, or a text such as 90s, 2 minutes or 3-5 minutes'
  return [{ path: 'metadata.estimated_duration', message, code: 'duration' }]
}

/** The duration and cost that the author expects; null where nothing is given. */
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

const written =
  /^\s*(\d{1,7}(?:\.\d{1,3})?)(?:\s*(?:-|–|to)\s*(\d{1,7}(?:\.\d{1,3})?))?\s*(ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hours?)\s*$/i

const millisecondsIn = [
  [/^(ms|milli)/i, 1],
  [/^s/i, 1000],
  [/^m/i, 60_000],
  [/^h/i, 3_600_000],
] as const

/** Parses a duration as people write it: seconds, `90s`, `2 minutes`, `3-5 minutes`. Undefined: it is not a duration. */
function readEstimatedMs(duration: number | string): number | undefined {
  if (typeof duration === 'number') return Math.ceil(duration * 1000)
  const [, from, to = from, unit = ''] = written.exec(duration) ?? []
  const factor = millisecondsIn.find(([name]) => name.test(unit))?.[1]
  if (from === undefined || factor === undefined) return undefined
  return Math.ceil(((Number(from) + Number(to)) / 2) * factor)
}
