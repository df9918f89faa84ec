import { waitMs } from '../definition/kinds/wait-times.ts'
import { fillText, fillValue, reportMissing } from '../expressions/templates.ts'
import { StepFailure } from './step-failure.ts'
import type { StepRun } from './step-run.ts'

type FillRun = Pick<StepRun, 'scope' | 'failedProducerOf' | 'log'>

/** A field of one line with its placeholders filled. Throws STEP_DEPENDENCY_FAILED. */
export function fillLine(run: FillRun, template: string): string {
  const { value, missing } = fillText(template, run.scope)
  reportMissing(run, missing)
  return value.replaceAll(/\s+/g, ' ').trim().slice(0, 200)
}

/** The milliseconds of a duration in a field. Throws INVALID_STEP when it is none with its placeholders filled. */
export function fillDuration(run: FillRun, field: string, given: number | string): number {
  const text = typeof given === 'string' ? fillLine(run, given) : String(given)
  const durationMs = waitMs(text)
  if (durationMs !== undefined) return durationMs
  throw new StepFailure({
    code: 'INVALID_STEP',
    message: `"${field}" is "${text}", which is not a duration of up to 400 days, such as 2h or 7d.`,
  })
}

const defaultTimeoutMs = 30 * 86_400_000

/** The timeout of a step that waits for others. Throws INVALID_STEP. */
export function timeoutMsOf(run: FillRun, timeout: number | string | undefined): number {
  return timeout === undefined ? defaultTimeoutMs : fillDuration(run, 'timeout', timeout)
}

/** The value after the timeout, with its placeholders filled. */
export function fillDefault(run: FillRun, template: unknown): unknown {
  const { value, missing } = fillValue(template, run.scope)
  reportMissing(run, missing)
  return value
}
