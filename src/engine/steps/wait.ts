import { maxWaitMs, readTime, waitMs } from '../definition/kinds/wait-times.ts'
import type { WaitStep } from '../definition/step-types.ts'
import { fillText, reportMissing } from '../expressions/templates.ts'
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
    const text = filled(run, until)
    const at = readTime(text)
    if (at === undefined)
      throw invalid(`"until" is "${text}", which is not a time such as 2027-01-31T09:00:00+01:00.`)
    if (at.getTime() > now.getTime() + maxWaitMs)
      throw invalid(`"until" is ${text}; a step waits at most 400 days.`)
    return at
  }
  const text = typeof duration === 'string' ? filled(run, duration) : String(duration)
  const durationMs = waitMs(text)
  if (durationMs === undefined)
    throw invalid(`"duration" is "${text}", which is not a duration of up to 400 days, such as 2h or 7d.`)
  return new Date(now.getTime() + durationMs)
}

function filled(run: StepRun<WaitStep>, template: string): string {
  const { value, missing } = fillText(template, run.scope)
  reportMissing(run, missing)
  return value.trim().slice(0, 200)
}

function invalid(message: string): StepFailure {
  return new StepFailure({ code: 'INVALID_STEP', message })
}
