import { Type } from 'typebox'
import type { ExecutionRecord } from '#engine'
import { epochSeconds } from './units.ts'

export const WaitPart = Type.Object({
  step_id: Type.String({ description: 'The step that waits.' }),
  item: Type.Optional(Type.Integer({ description: 'The index of the batch item, from 0.' })),
  kind: Type.Enum(['timer', 'human', 'event'], {
    description: '`timer`: until a time. `human`: for an answer. `event`: for an event.',
  }),
  until: Type.Unsafe<number | null>({
    type: 'integer',
    nullable: true,
    description: 'Epoch seconds of its end or timeout; null without one.',
  }),
  human_task_id: Type.Optional(Type.String({ description: 'The human task to answer.' })),
  event: Type.Optional(Type.String({ description: 'The name of the event it waits for.' })),
  correlation_key: Type.Optional(Type.String({ description: 'The key of the event it waits for.' })),
})

/** Since when an execution only waits, and for what; null while it does not. */
export const SuspensionPart = Type.Union(
  [
    Type.Object({
      since: Type.Integer({ description: 'Epoch seconds.' }),
      waits: Type.Array(WaitPart, { description: 'The next to end first; at most 100.' }),
    }),
    Type.Null(),
  ],
  {
    description:
      'Set while the execution only waits: no worker is busy with it, and it takes no slot of the account. Null otherwise.',
  },
)

/** The suspension of an execution in a response. */
export function describeSuspension({
  suspended,
  waits,
  input,
}: Pick<ExecutionRecord, 'suspended' | 'waits' | 'input'>) {
  if (suspended === null) return null
  return {
    since: epochSeconds(suspended.since),
    waits: describeWaits({ waits, input }),
  }
}

/** The open waits of an execution in a response. */
export function describeWaits({ waits, input }: Pick<ExecutionRecord, 'waits' | 'input'>) {
  return waits.map(({ id, stepId, item, kind, until, event }) => ({
    step_id: stepId,
    ...(input.batch !== undefined && { item }),
    kind,
    until: until === null ? null : epochSeconds(until),
    ...(kind === 'human' && { human_task_id: id }),
    ...(event !== null && { event: event.name, correlation_key: event.key }),
  }))
}
