import type { ExecutionRecord } from '#engine'
import { average, type Measures, percentage, seconds } from '#runs'
import { describeResponseTimes } from './performance.ts'

/** `critical`: it failed. `degraded`: a step failed or had to be tried again. `healthy`: neither. */
function healthOf({ status }: Pick<ExecutionRecord, 'status'>, { ran }: Measures): string {
  if (status === 'failed') return 'critical'
  const troubled = ran.some(({ outcome }) => outcome.state === 'failed' || outcome.attempts > 1)
  return troubled ? 'degraded' : 'healthy'
}

export function describeIndicatorsOf(record: ExecutionRecord, measures: Measures) {
  const { ran, succeeded } = measures
  const usual = average(ran.map(({ ms }) => ms))
  return {
    execution_health: healthOf(record, measures),
    step_success_rate: percentage(succeeded, ran.length),
    average_step_time: usual === null ? null : seconds(usual),
    provider_response_times: describeResponseTimes(measures),
  }
}
