import { expect, test } from 'vitest'
import type { WaitForEventStep } from '../definition/step-types.ts'
import type { WaitRequest } from '../waits/wait.ts'
import type { StepRun } from './step-run.ts'
import { runWaitForEvent } from './wait-for-event.ts'

/** Runs a step whose event does not arrive in time. */
async function runWithoutEvent(fields: Partial<WaitForEventStep>) {
  const requests: WaitRequest[] = []
  const run = {
    step: {
      id: 'paid',
      type: 'wait_for_event',
      event: 'order.paid',
      correlation_key: '{{order.id}}',
      on_timeout: 'continue',
      ...fields,
    },
    scope: { memory: { order: { id: 'order-7', patience: '3d', amount: 12 } }, context: {}, steps: {} },
    failedProducerOf: () => undefined,
    log: () => {},
    async wait(open: (now: Date) => WaitRequest) {
      requests.push(open(new Date(0)))
      return { id: 'wait', state: 'timed_out', answer: null, closedAt: new Date(0) }
    },
  } as unknown as StepRun<WaitForEventStep>
  const { output } = await runWaitForEvent(run)
  return { request: requests[0], output }
}

test('the timeout and the default may have placeholders', async () => {
  const { request, output } = await runWithoutEvent({
    timeout: '{{order.patience}}',
    default: { amount: '{{order.amount}}', note: 'Not paid: {{order.id}}' },
  })
  expect(request).toMatchObject({ wakeAt: new Date(3 * 86_400_000), correlationKey: 'order-7' })
  expect(output).toMatchObject({ received: false, data: { amount: 12, note: 'Not paid: order-7' } })
})

test('a timeout that is no duration fails the step before it waits', async () => {
  await expect(runWithoutEvent({ timeout: '{{order.id}}' })).rejects.toMatchObject({
    code: 'INVALID_STEP',
    message: '"timeout" is "order-7", which is not a duration of up to 400 days, such as 2h or 7d.',
  })
})
