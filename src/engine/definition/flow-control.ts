import { type Static, Type } from 'typebox'
import type { Problem } from '#kernel/errors'
import { compile } from '../expressions/compile.ts'
import { checkExpression } from './kinds/check-values.ts'
import { duration, durationMs } from './values.ts'

const maxKeyLength = 1000

const key = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: maxKeyLength, description }))

const concurrency = Type.Object(
  {
    limit: Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'How many executions may be open at once.',
    }),
    key: key(
      'An expression over the context, such as `context.customer`: each of its values has the limit for itself. Default: one limit for the flow.',
    ),
  },
  {
    additionalProperties: false,
    description:
      'How many executions of the flow may run at once. An execution that only waits, for a time, an event or an answer, does not count.',
  },
)

const throttle = Type.Object(
  {
    limit: Type.Integer({
      minimum: 1,
      maximum: 100_000,
      description: 'How many executions may start per period.',
    }),
    period: duration('The period: seconds, or a text such as `1m`.'),
    key: key(
      'An expression over the context: each of its values has the limit for itself. Default: one limit for the flow.',
    ),
    burst: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 1000,
        description:
          'How many executions may start together after a pause. 1 spreads them evenly over the period. Default: 1.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'How many executions of the flow may start in a period. Others start later.',
  },
)

const debounce = Type.Object(
  {
    period: duration(
      'How long an execution waits for another start with the same key: seconds, or a text such as `30s`.',
    ),
    key: key(
      'An expression over the context, such as `context.page`: starts with the same value are combined. Default: all starts of the account.',
    ),
    max_wait: Type.Optional(
      duration(
        'The longest time that starts are postponed, counted from the first one. Default: ten times `period`.',
      ),
    ),
  },
  {
    additionalProperties: false,
    description:
      'Combines starts of an account that follow each other into one execution, which has the input of the last one.',
  },
)

/** The limits of a flow over all its executions. */
export const FlowControl = Type.Object(
  {
    concurrency: Type.Optional(concurrency),
    throttle: Type.Optional(throttle),
    debounce: Type.Optional(debounce),
    priority: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: maxKeyLength,
        description:
          "An expression over the context whose value is `low`, `normal`, `high` or `urgent`, such as `context.plan == 'paid' ? 'high' : 'normal'`. It replaces the priority of the request.",
      }),
    ),
  },
  {
    additionalProperties: false,
    description:
      'Limits over all executions of the flow. An execution above a limit is gated: it starts later.',
  },
)

export type FlowControl = Static<typeof FlowControl>

/** The longest postponement of a debounced execution. */
export function maxWaitMs({ period, max_wait: maxWait }: NonNullable<FlowControl['debounce']>): number {
  return maxWait === undefined ? durationMs(period) * 10 : durationMs(maxWait)
}

/** Variables of expressions in steps. An execution that has not started has none of them. */
const laterVariables = new Set(['steps', 'errors', 'now'])

/** Checks limits that match the schema. */
export function checkFlowControl(control: FlowControl | undefined): Problem[] {
  if (control === undefined) return []
  const place = 'global_configuration.flow_control'
  const sources = [
    ['concurrency.key', control.concurrency?.key],
    ['throttle.key', control.throttle?.key],
    ['debounce.key', control.debounce?.key],
    ['priority', control.priority],
  ] as const
  return [
    ...sources.flatMap(([name, source]) =>
      source === undefined ? [] : checkEarlyExpression(source, `${place}.${name}`),
    ),
    ...checkWait(control.debounce, `${place}.debounce`),
  ]
}

/** Checks an expression that is evaluated before an execution is stored, without a thread. */
function checkEarlyExpression(source: string, place: string): Problem[] {
  const problems = checkExpression(source, place)
  const compiled = compile(source)
  if (problems.length > 0 || compiled.kind === 'invalid') return problems
  const { isSimple, fields } = compiled.expression
  const later = [...fields.keys()].find((name) => laterVariables.has(name))
  if (later !== undefined) {
    const message = `reads "${later}", which does not exist before an execution has started; use the context`
    return [{ path: place, message, code: 'expression' }]
  }
  if (isSimple) return []
  const message =
    'is too complex: only operators and simple functions such as has, size, contains, lower and trim can be used here'
  return [{ path: place, message, code: 'expression' }]
}

function checkWait(given: FlowControl['debounce'], place: string): Problem[] {
  if (given?.max_wait === undefined || durationMs(given.max_wait) >= durationMs(given.period)) return []
  return [{ path: `${place}.max_wait`, message: 'must not be shorter than period', code: 'minimum' }]
}
