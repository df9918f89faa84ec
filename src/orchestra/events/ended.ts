import { recoveryOptionsOf } from '#engine'
import {
  describeFailure,
  describeResultsByStep,
  dollars,
  measure,
  seconds,
  type Teller,
  type TellerInput,
} from '#runs'

/** A result that is longer than this as JSON is not sent along: whoever wants it reads the execution. */
const longestResult = 1024 * 1024

export const completed: Teller = {
  name: 'workflow.completed',
  of: ['execution_completed'],
  estimates: false,
  describe(about) {
    // By step, like the answer of the API: a receiver reads both with the same code.
    const results = describeResultsByStep(about.record)
    const fits = JSON.stringify(results).length <= longestResult
    return { ...describeEnd(about), results: fits ? results : {}, results_omitted: !fits }
  },
}

/** One that was cancelled is told by the same name, so that whoever waits for an end hears of one; `status` says which it was. */
export const failed: Teller = {
  name: 'workflow.failed',
  of: ['execution_failed', 'execution_cancelled'],
  estimates: true,
  describe(about) {
    const { event, record, estimate } = about
    const { code, message, details } = describeFailure(record)
    const known = new Map(estimate.steps.map((step) => [step.stepId, step]))
    return {
      ...describeEnd(about),
      error: {
        code,
        message,
        failed_step: details.failed_step,
        provider: details.provider,
        timeout_duration: details.timeout_duration,
        retry_attempts: details.retry_attempts,
      },
      reason: typeof event.data['reason'] === 'string' ? event.data['reason'] : null,
      completed_steps: details.partial_results.completed_steps,
      recovery:
        record.status === 'failed'
          ? recoveryOptionsOf(record, (stepId) => {
              const step = known.get(stepId)
              return step && { microDollars: step.cost.value, ms: step.duration.value }
            })
          : [],
    }
  },
}

function describeEnd({ event, record }: TellerInput) {
  const measures = measure(record, event.at)
  return {
    execution_id: record.id,
    workflow_id: record.flowId,
    workflow_version: record.flowVersion,
    status: record.status,
    duration: seconds(measures.elapsedMs ?? 0),
    cost: dollars(record.spent),
    unpriced: measures.unpriced,
  }
}
