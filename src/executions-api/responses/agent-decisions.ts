import type { AgentDecision, ExecutionRecord } from '#engine'
import { epochSeconds, roundedShare } from '../units.ts'

type StepOutcome = ExecutionRecord['outcomes'][number]

/** The number of agent decisions. */
export function countDecisions({ outcomes }: Pick<ExecutionRecord, 'outcomes'>): number {
  return outcomes.filter((outcome) => decisionOf(outcome) !== undefined).length
}

/** The agent decisions in order; empty when the request disabled them. */
export function describeAgentDecisions({ outcomes, input }: Pick<ExecutionRecord, 'outcomes' | 'input'>) {
  if (input.options.monitoring?.capture_agent_decisions === false) return []
  return outcomes.flatMap((outcome, index) => {
    const decision = decisionOf(outcome)
    if (decision === undefined) return []
    return [
      {
        step: outcome.stepId,
        agent: decision.agent,
        decision: decision.decision,
        confidence: roundedShare(decision.confidence),
        reasoning: decision.reasoning,
        context_used: [...decision.contextUsed],
        alternative_paths_considered: [...decision.alternatives],
        timestamp: epochSeconds(outcome.finishedAt),
        workflow_modifications: {
          steps_added: [...decision.stepsAdded],
          steps_skipped: skippedBy(outcomes, index),
        },
      },
    ]
  })
}

function decisionOf({ details }: StepOutcome): AgentDecision | undefined {
  return (details['decision'] as AgentDecision | null | undefined) ?? undefined
}

/** The steps that a decision skips are stored right after it. */
function skippedBy(outcomes: readonly StepOutcome[], index: number): string[] {
  const after = outcomes.slice(index + 1)
  const end = after.findIndex(({ state }) => state !== 'skipped')
  return (end === -1 ? after : after.slice(0, end)).map(({ stepId }) => stepId)
}
