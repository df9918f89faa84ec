import { type Static, Type } from 'typebox'
import type { Problem } from '#kernel/errors'
import { describeTest } from '../../expressions/conditions.ts'
import { common, Test } from '../common-step.ts'
import { duration } from '../values.ts'
import { checkCondition, checkTemplate } from './check-values.ts'
import type { StepKind } from './step-kind.ts'
import { inCondition, inValue } from './used-paths.ts'

const schema = Type.Object(
  {
    ...common,
    type: Type.Literal('repeat_until', {
      description: 'Runs the same steps again until a condition is true.',
    }),
    steps: Type.Array(Type.Record(Type.String(), Type.Unknown()), {
      minItems: 1,
      maxItems: 500,
      description:
        'Steps, as in the flow. They run in each iteration, depend only on each other, and can read outputs of earlier steps outside, `{{previous}}` and `{{index}}`.',
    }),
    until: Type.Object(Test.properties, {
      additionalProperties: false,
      description:
        'The condition that ends the loop, evaluated after each iteration. It can read the outputs of the steps inside.',
    }),
    max_iterations: Type.Integer({
      minimum: 1,
      maximum: 1000,
      description: 'The maximum number of iterations.',
    }),
    delay: Type.Optional(
      duration(
        'The time between two iterations: seconds, or a text such as `30s`, `5m` or `1h`. No worker is busy meanwhile. Default: none.',
      ),
    ),
    on_exhausted: Type.Optional(
      Type.Enum(['fail', 'continue'], {
        description:
          'What happens when the condition is still false after the last iteration: `fail` fails the step with LOOP_EXHAUSTED, `continue` continues with the last result and `met: false`. Default: `fail`.',
      }),
    ),
    result: Type.Optional(
      Type.Unknown({
        description:
          'The result of an iteration, which the next one reads as `{{previous}}`: any JSON in which `{{path}}` is filled. Default: the output of its last step, or the outputs of all its last steps by id.',
      }),
    ),
  },
  {
    additionalProperties: false,
    description: 'Runs its steps one iteration after the other, until a condition is true.',
  },
)

export type RepeatUntilStep = Static<typeof schema>

export const repeatUntil = {
  type: 'repeat_until',
  plural: 'Repeat steps',
  schema,
  traits: {
    pure: false,
    callsModels: false,
    sendsPrompt: false,
    callsServices: false,
    decides: 'never',
    validatesOutput: true,
  },
  phase: 'running_iterations',
  check: checkRepeatUntil,
  pathsUsed: () => [],
  container: {
    stepsOf: ({ steps }) => steps,
    variablesOf: () => ['index', 'previous'],
    pathsAtEnd: ({ until, result }) => [...inCondition(until, 'until'), ...inValue(result, 'result')],
    collectsErrors: () => false,
    isSequential: true,
  },
  describeInput: ({ until, max_iterations }) => ({ until: describeTest(until), max_iterations }),
} as const satisfies StepKind<RepeatUntilStep>

function checkRepeatUntil(step: RepeatUntilStep, place: string): Problem[] {
  return [
    ...checkCondition(step.until, `${place}.until`),
    ...checkTemplate(step.result, `${place}.result`),
    ...(step.delay !== undefined && step.max_iterations === 1
      ? [{ path: `${place}.delay`, message: 'has no effect with one iteration', code: 'no_effect' }]
      : []),
  ]
}
