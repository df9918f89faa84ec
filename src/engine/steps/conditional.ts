import type { Action, Comparison } from '../definition/conditions.ts'
import type { ConditionalStep } from '../definition/step-types.ts'
import { holds } from '../expressions/compare.ts'
import { asText } from '../expressions/template.ts'
import type { Choice } from '../graph/plan.ts'
import { noUsage, type StepResult, type StepRun } from './step-run.ts'

/** Takes the action of the first condition that is true, else the default action, else continues. */
export async function runConditional({ step, scope }: StepRun<ConditionalStep>): Promise<StepResult> {
  const taken = step.conditions.findIndex((condition) => holds(condition, scope))
  const action = step.conditions[taken]?.action ?? step.default_action ?? { type: 'continue' }
  // Conditions after the first true one are not evaluated.
  const evaluated = taken === -1 ? step.conditions : step.conditions.slice(0, taken + 1)
  const routing_decision = {
    action: action.type,
    target: action.target_step ?? action.next_step ?? null,
    reason: action.reason ?? (taken === -1 ? 'no condition held' : describe(step.conditions[taken])),
  }
  return {
    output: { ...routing_decision, condition: taken === -1 ? null : taken },
    choice: choiceOf(action),
    confidence: 1,
    quality: null,
    usage: noUsage,
    details: {
      conditions_evaluated: evaluated.map((condition, index) => ({
        condition: describe(condition),
        result: index === taken,
        action_taken: index === taken ? action.type : null,
      })),
      routing_decision,
    },
  }
}

function choiceOf({ type, next_step, target_step = '' }: Action): Choice {
  return type === 'jump_to_step'
    ? { kind: 'jump', target: target_step }
    : { kind: 'continue', next: next_step }
}

function describe(condition: Comparison | undefined): string {
  if (condition === undefined) return ''
  const { field, operator, value } = condition
  return value === undefined ? `${field} ${operator}` : `${field} ${operator} ${asText(value)}`
}
