import type { AgentDecision, FlowEstimate } from '#engine'
import { dollars, roundedShare, seconds, type Teller } from '#runs'

export const decisionMade: Teller = {
  name: 'agent.decision.made',
  of: ['agent_decision'],
  estimates: true,
  describe({ event, record, estimate }) {
    const decision = event.data as unknown as AgentDecision & {
      readonly step_id: string
      readonly item?: number
    }
    const added = costOfSteps(decision.stepsAdded, estimate)
    return {
      execution_id: record.id,
      flow_id: record.flowId,
      step_id: decision.step_id,
      item: decision.item ?? null,
      agent_id: decision.agent,
      decision: {
        action: decision.decision,
        confidence: roundedShare(decision.confidence),
        reasoning: decision.reasoning,
        alternatives_considered: [...decision.alternatives],
        workflow_modifications: {
          steps_added: [...decision.stepsAdded],
          estimated_additional_cost: added.microDollars === null ? null : dollars(added.microDollars),
          estimated_additional_time: added.ms === null ? null : seconds(added.ms),
        },
      },
    }
  },
}

/** What steps take one after the other. Null as soon as nobody knows it of one of them. */
function costOfSteps(ids: readonly string[], { steps: estimates }: FlowEstimate) {
  const known = new Map(estimates.map((step) => [step.stepId, step]))
  const steps = ids.map((id) => known.get(id))
  return {
    microDollars: sumOf(steps.map((step) => step?.cost.value ?? null)),
    ms: sumOf(steps.map((step) => step?.duration.value ?? null)),
  }
}

function sumOf(numbers: readonly (number | null)[]): number | null {
  return numbers.reduce<number | null>(
    (sum, number) => (sum === null || number === null ? null : sum + number),
    0,
  )
}
