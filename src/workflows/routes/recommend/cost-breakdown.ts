import { dollars } from '#runs'
import type { Candidate } from '../../recommend/candidate.ts'

/** What makes up the cost of a flow. */
export function breakDownCost({ flow, estimate, models }: Candidate) {
  const { cost, steps } = estimate
  const byProvider = new Map<string, number>()
  for (const { stepId, entry } of models) {
    const step = steps.find((it) => it.stepId === stepId)
    if (entry === undefined || step === undefined || step.cost.value === null) continue
    const spent = step.cost.value * step.runShare
    byProvider.set(entry.provider, (byProvider.get(entry.provider) ?? 0) + spent)
  }
  return {
    flow_id: flow.flowId,
    total_estimated: cost.value === null ? null : dollars(cost.value),
    source: cost.source,
    by_step: steps.map(({ stepId, cost: own, runShare }) => ({
      step_id: stepId,
      cost: own.value === null ? null : dollars(own.value),
      run_share: Math.round(runShare * 1000) / 1000,
      source: own.source,
    })),
    by_provider: Object.fromEntries([...byProvider].map(([name, spent]) => [name, dollars(spent)])),
  }
}
