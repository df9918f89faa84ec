import { maxWaitMs, readTime } from '../definition/kinds/wait-times.ts'
import type { WaitStep } from '../definition/step-types.ts'
import { fillDuration, fillLine } from './fill-timeout.ts'
import { noUsage, StepFailure } from './step-failure.ts'
import type { StepResult, StepRun } from './step-run.ts'

/** Waits for a duration, or until a time. Throws INVALID_STEP when a filled text is neither. */
export async function runWait(run: StepRun<WaitStep>): Promise<StepResult> {
  const { closedAt } = await run.wait((now) => ({ kind: 'timer', wakeAt: endOf(run, now), request: {} }))
  return {
    output: { waited_until: closedAt.toISOString() },
    confidence: null,
    quality: null,
    usage: noUsage,
    details: {},
  }
}

function endOf(run: StepRun<WaitStep>, now: Date): Date {
  const { duration, until } = run.step
  if (until !== undefined) {
    const text = fillLine(run, until)
    const at = readTime(text)
    if (at === undefined)
      throw invalid(`"until" is "${text}", which is not a time such as 2027-01-31T09:00:00+01:00.`)
    if (at.getTime() > now.getTime() + maxWaitMs)
      throw invalid(`"until" is ${text}; a step waits at most 400 days.`)
    return at
  }
  return new Date(now.getTime() + fillDuration(run, 'duration', duration ?? ''))
}

function invalid(message: string): StepFailure {
  return new StepFailure({ code: 'INVALID_STEP', message })
}
