import type { ExecutionRecord } from '#engine'
import {
  describeAgentDecisions,
  describePhase,
  describeProgress,
  describeSharedMemory,
  describeWarnings,
  type Expectation,
  measure,
  type Reach,
} from '#runs'
import { describeCosts } from './costs.ts'
import { describeIndicatorsOf } from './indicators.ts'
import { describeLogLine } from './logs.ts'
import { predict } from './predictions.ts'
import { describeCompletedSteps, describeCurrentStep, describeUpcomingSteps } from './steps-now.ts'
import { describeTiming } from './timing.ts'
import { describeUsageNow } from './usage-now.ts'

/** Lines of the log that a status tells; all of them have an address of their own. */
const mostLines = 50

export interface StatusParts {
  readonly details: boolean
  readonly predictions: boolean
  readonly memory: boolean
}

/** Where an execution stands now. Parts that were not asked for are absent, not empty. */
export function describeStatus(
  record: ExecutionRecord,
  expected: Expectation,
  parts: StatusParts,
  reach: Reach,
  now: Date,
) {
  const measures = measure(record, now)
  return {
    execution_id: record.id,
    flow_id: record.flowId,
    flow_version: record.flowVersion,
    status: record.status,
    current_phase: describePhase(record),
    progress: describeProgress(record, expected, now),
    timing: describeTiming(record, measures, expected, now),
    ...(parts.details && {
      current_step_details: describeCurrentStep(record, now),
      completed_steps: describeCompletedSteps(record, measures),
      upcoming_steps: describeUpcomingSteps(record, expected),
      agent_activity: describeAgentDecisions(record),
      real_time_logs: record.events.slice(-mostLines).map(describeLogLine),
    }),
    ...(parts.memory && { shared_memory_state: describeSharedMemory(record) }),
    resource_usage: describeUsageNow(record, measures),
    cost_tracking: describeCosts(record, measures, expected),
    performance_indicators: describeIndicatorsOf(record, measures),
    ...(parts.predictions && { predictions: predict(record, measures, expected, now) }),
    approval: record.approval,
    error: record.error,
    warnings: describeWarnings(record, reach),
  }
}
