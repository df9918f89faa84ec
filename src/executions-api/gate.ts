import { Type } from 'typebox'
import type { ExecutionRecord } from '#engine'
import { epochSeconds } from './units.ts'

/** Which limit of its flow keeps an execution back; null while none does. */
export const GatePart = Type.Union(
  [
    Type.Object({
      since: Type.Integer({ description: 'Epoch seconds.' }),
      limit: Type.Enum(['concurrency', 'throttle', 'debounce'], {
        description:
          '`concurrency`: it waits for another execution to end. `throttle`: for its turn. `debounce`: for further starts with the same key.',
      }),
      until: Type.Unsafe<number | null>({
        type: 'integer',
        nullable: true,
        description: 'Epoch seconds at which it may start; null when unknown.',
      }),
      ahead: Type.Integer({ description: 'Executions with the same key that came before it.' }),
      starts: Type.Unsafe<number | null>({
        type: 'integer',
        nullable: true,
        description: 'How many starts were combined into it; null without a debounce.',
      }),
    }),
    Type.Null(),
  ],
  {
    description:
      'Set while a limit in `flow_control` of the flow keeps the execution back: it takes no slot of the account. Null otherwise.',
  },
)

/** The gate that an execution waits at, in a response. */
export function describeGate({ gated }: Pick<ExecutionRecord, 'gated'>) {
  if (gated === null) return null
  const { since, limit, until, ahead, starts } = gated
  return {
    since: epochSeconds(since),
    limit,
    until: until === null ? null : Math.ceil(until.getTime() / 1000),
    ahead,
    starts,
  }
}

type Limit = NonNullable<ExecutionRecord['gated']>['limit']

/** Why an execution at the gate has not started, as a warning says it. */
export const gateMessages: Readonly<Record<Limit, string>> = {
  concurrency:
    'The flow limits how many of its executions run at once. It starts when another one has ended.',
  throttle: 'The flow limits how many of its executions start in a period. It starts later.',
  debounce:
    'The flow combines starts that follow each other. It starts when no further one has come for a while.',
}
