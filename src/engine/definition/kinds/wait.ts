import { type Static, Type } from 'typebox'
import type { Problem } from '#kernel/errors'
import { fillText, placeholdersIn } from '../../expressions/templates.ts'
import { common } from '../common-step.ts'
import { checkTemplate } from './check-values.ts'
import type { StepKind } from './step-kind.ts'
import { inText } from './used-paths.ts'
import { checkDuration, readTime } from './wait-times.ts'

const schema = Type.Object(
  {
    ...common,
    type: Type.Literal('wait', { description: 'Waits for a time. No worker is busy meanwhile.' }),
    duration: Type.Optional(
      Type.Union([Type.Number({ minimum: 0 }), Type.String({ minLength: 1, maxLength: 1000 })], {
        description:
          'How long it waits: seconds, or a text such as `30s`, `5m`, `2h` or `7d`. At most 400 days. May contain `{{path}}`.',
      }),
    ),
    until: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 1000,
        description:
          'When it continues: a time with an offset such as `2027-01-31T09:00:00+01:00`. A time in the past continues at once. May contain `{{path}}`.',
      }),
    ),
  },
  { additionalProperties: false, description: 'Waits for a duration, or until a time: exactly one of them.' },
)

export type WaitStep = Static<typeof schema>

export const wait = {
  type: 'wait',
  plural: 'Wait steps',
  schema,
  traits: {
    pure: false,
    callsModels: false,
    sendsPrompt: false,
    callsServices: false,
    decides: 'never',
    validatesOutput: false,
    waits: true,
  },
  phase: 'waiting',
  check: checkWait,
  pathsUsed: ({ duration, until }) => [
    ...(typeof duration === 'string' ? inText(duration, 'duration') : []),
    ...inText(until, 'until'),
  ],
  templates: ({ duration, until }) => [duration, until],
  describeInput: ({ duration, until }, scope) => ({
    ...(duration !== undefined && {
      duration: typeof duration === 'string' ? fillText(duration, scope).value : duration,
    }),
    ...(until !== undefined && { until: fillText(until, scope).value }),
  }),
} as const satisfies StepKind<WaitStep>

function checkWait({ duration, until }: WaitStep, place: string): Problem[] {
  if (duration === undefined && until === undefined) {
    return [{ path: `${place}.duration`, message: 'is required, or until', code: 'required' }]
  }
  if (duration !== undefined && until !== undefined) {
    return [{ path: `${place}.until`, message: 'must not be used together with duration', code: 'conflict' }]
  }
  const problems = [
    ...checkDuration(duration, `${place}.duration`),
    ...checkTemplate(until, `${place}.until`),
  ]
  if (until !== undefined && placeholdersIn(until).length === 0 && readTime(until) === undefined) {
    problems.push({
      path: `${place}.until`,
      message: 'must be a time with an offset, such as 2027-01-31T09:00:00+01:00 or 2027-01-31T08:00:00Z',
      code: 'value',
    })
  }
  return problems
}
