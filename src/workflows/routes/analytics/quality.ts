import { averageOf, percentOf, round, successRateOf } from './numbers.ts'
import type { View } from './view.ts'

export function describeQuality({ figures, steps }: View) {
  const { total, errors } = figures
  const ran = steps.completed + steps.failed
  return {
    overall_success_rate: successRateOf(total),
    step_success_rate: successRateOf(steps),
    average_quality_score: round(averageOf(steps.quality_sum, steps.quality_count), 2),
    average_confidence: round(averageOf(steps.confidence_sum, steps.confidence_count), 4),
    judged_outputs: steps.quality_count,
    retry_rate:
      ran === 0 ? null : percentOf(Math.max(0, steps.attempts - ran), Math.max(steps.attempts, ran)),
    failure_causes: errors.map(({ code, executions }) => ({
      code,
      executions,
      share: percentOf(executions, total.failed),
    })),
  }
}
