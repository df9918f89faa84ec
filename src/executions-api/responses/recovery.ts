import { type ExecutionRecord, type FlowEstimate, recoveryOptionsOf } from '#engine'

/** How a failed execution can be recovered, with the estimated cost and duration of each option. */
export function recoveryOf(record: ExecutionRecord, { steps }: Pick<FlowEstimate, 'steps'>) {
  const known = new Map(steps.map((step) => [step.stepId, step]))
  return recoveryOptionsOf(record, (stepId) => {
    const step = known.get(stepId)
    return step && { microDollars: step.cost.value, ms: step.duration.value }
  })
}
