import type { WaitForEventStep } from '../definition/step-types.ts'
import { fillText, reportMissing } from '../expressions/templates.ts'
import type { EventAnswer } from '../waits/signals.ts'
import { fillDefault, timeoutMsOf } from './fill-timeout.ts'
import { noUsage, StepFailure } from './step-failure.ts'
import type { StepResult, StepRun } from './step-run.ts'

/** Longer keys are refused when an event is sent, too. */
const maxKeyLength = 200

/** Waits for an event. Throws WAIT_TIMED_OUT, or INVALID_STEP when the key is empty or too long. */
export async function runWaitForEvent(run: StepRun<WaitForEventStep>): Promise<StepResult> {
  const { step, log } = run
  const key = keyOf(run)
  const { state, answer, closedAt } = await run.wait((now) => ({
    kind: 'event',
    wakeAt: new Date(now.getTime() + timeoutMsOf(run, step.timeout)),
    eventName: step.event,
    correlationKey: key,
    request: {},
  }))
  const received = state === 'answered'
  if (!received && step.on_timeout !== 'continue') {
    throw new StepFailure({
      code: 'WAIT_TIMED_OUT',
      message: `The event "${step.event}" with the key "${key}" did not arrive in time.`,
      details: { event: step.event, correlation_key: key },
    })
  }
  if (!received)
    log('warning', `The event "${step.event}" did not arrive in time; the default was used.`, {
      warning: 'event_timed_out',
    })
  const event = answer as EventAnswer | null
  return {
    output: {
      received,
      name: step.event,
      key,
      data: (received ? event?.data : fillDefault(run, step.default)) ?? null,
      at: event?.received_at ?? closedAt.toISOString(),
    },
    confidence: null,
    quality: null,
    usage: noUsage,
    details: {},
  }
}

function keyOf(run: StepRun<WaitForEventStep>): string {
  const { value, missing } = fillText(run.step.correlation_key, run.scope)
  reportMissing(run, missing)
  const key = value.trim()
  if (key !== '' && key.length <= maxKeyLength) return key
  throw new StepFailure({
    code: 'INVALID_STEP',
    message:
      key === ''
        ? '"correlation_key" is empty with its placeholders filled.'
        : `"correlation_key" is longer than ${maxKeyLength} characters with its placeholders filled.`,
  })
}
