import { type Static, Type } from 'typebox'
import type { Problem } from '#kernel/errors'
import { fillText } from '../../expressions/templates.ts'
import { common } from '../common-step.ts'
import { checkTemplate } from './check-values.ts'
import type { StepKind } from './step-kind.ts'
import { inText } from './used-paths.ts'
import { checkTimeout, pathsInTimeout, timeoutFields } from './wait-times.ts'

const schema = Type.Object(
  {
    ...common,
    type: Type.Literal('wait_for_event', {
      description: 'Waits for an event that another system sends. No worker is busy meanwhile.',
    }),
    event: Type.String({
      pattern: '^[A-Za-z0-9_.:-]{1,100}$',
      'x-means': 'must be up to 100 letters, digits, dots, colons, hyphens and underscores',
      description: 'The name of the event, such as `payment.received`.',
    }),
    correlation_key: Type.String({
      minLength: 1,
      maxLength: 1000,
      description:
        'Which event of this name it waits for: the key with which the event is sent, such as `{{order.id}}`.',
    }),
    ...timeoutFields('the event has not arrived'),
  },
  { additionalProperties: false, description: 'Waits for an event with a correlation key.' },
)

export type WaitForEventStep = Static<typeof schema>

export const waitForEvent = {
  type: 'wait_for_event',
  plural: 'Wait for event steps',
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
  check: (step, place): Problem[] => [
    ...checkTemplate(step.correlation_key, `${place}.correlation_key`),
    ...checkTimeout(step, place),
  ],
  pathsUsed: (step) => [...inText(step.correlation_key, 'correlation_key'), ...pathsInTimeout(step)],
  templates: ({ correlation_key: key, timeout, default: value }) => [key, timeout, value],
  describeInput: ({ event, correlation_key: key }, scope) => ({
    event,
    correlation_key: fillText(key, scope).value,
  }),
} as const satisfies StepKind<WaitForEventStep>
