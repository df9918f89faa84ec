import type { AgentDecision, FlowEstimate } from '#engine'
import { responses, units } from '#executions-api'
import type { EventMapper } from '../event-mapper.ts'
import { callbackCompleted, callbackFailed, callbackProgress, callbackStarted } from './callback-events.ts'
import { completed, failed } from './ended.ts'
import { started } from './started.ts'

const decisionMade: EventMapper = {
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
        confidence: units.roundedShare(decision.confidence),
        reasoning: decision.reasoning,
        alternatives_considered: [...decision.alternatives],
        workflow_modifications: {
          steps_added: [...decision.stepsAdded],
          estimated_additional_cost: added.microDollars === null ? null : units.dollars(added.microDollars),
          estimated_additional_time: added.ms === null ? null : units.seconds(added.ms),
        },
      },
    }
  },
}

/** The total cost and time of steps in sequence; null when an estimate of one is missing. */
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

/**
 * | alert_type    | means                                                                               |
 * |---------------|-------------------------------------------------------------------------------------|
 * | `cost_alert`  | the spend reached one of the `cost_alerts` of the flow                              |
 * | `over_budget` | the next call could exceed the budget, and the flow continues anyway                |
 */
const costThreshold: EventMapper = {
  name: 'cost.threshold.exceeded',
  of: ['cost_alert', 'over_budget'],
  estimates: false,
  describe: ({ event: { type, data }, record }) => ({
    execution_id: record.id,
    flow_id: record.flowId,
    alert_type: type,
    threshold: (type === 'cost_alert' ? data['threshold'] : data['budget']) ?? null,
    current_cost: data['spent'] ?? units.dollars(record.spent),
    possible_cost: data['could_cost'] ?? null,
  }),
}

/** A finished step. For a failed one `success` is false and `error` has the cause. */
const stepCompleted: EventMapper = {
  name: 'flow.step.completed',
  of: ['step_completed', 'step_failed'],
  estimates: false,
  describe: ({ event: { data }, record }) => ({
    execution_id: record.id,
    flow_id: record.flowId,
    step_id: data['step_id'] ?? null,
    step_type: data['step_type'] ?? null,
    item: data['item'] ?? null,
    success: data['success'] === true,
    duration: data['duration'] ?? null,
    tokens_used: data['tokens_used'] ?? null,
    ...responses.costIn(data),
    error: data['error'] ?? null,
  }),
}

/** The mappers of single executions; `publisher.ts` derives events from several. */
export const eventMappers: readonly EventMapper[] = [
  started,
  stepCompleted,
  decisionMade,
  costThreshold,
  completed,
  failed,
  callbackStarted,
  callbackProgress,
  callbackCompleted,
  callbackFailed,
]
