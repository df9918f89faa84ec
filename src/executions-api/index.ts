export {
  managesAll,
  managesWorkflows,
  readRate,
  runsWorkflows,
  seesAnalytics,
  seesExecutions,
  seesFlows,
} from './access.ts'
export { baseUrlOf } from './base-url.ts'
export { cancelExecution } from './cancel-execution.ts'
export { commonErrorMessages } from './error-messages.ts'
export { executionFailure } from './errors.ts'
export { findExecution } from './find-execution.ts'
export { invalidIdList, readIdList } from './id-list.ts'
export { type Factor, rounded, weigh } from './recommend/factor.ts'
export { languageCodeOf } from './recommend/language-code.ts'
export { costFactor, middleOf, qualityFactor, speedFactor } from './recommend/measured-factors.ts'
export { warnOfUnusedProviders } from './recommend/preferred-providers.ts'
export { type AdvicePriority, priorityNames, priorityWeights } from './recommend/priorities.ts'
export { levelPoints, type QualityLevel, qualityLevels } from './recommend/quality-levels.ts'
export { evidenceOf, likelyRate, rateBounds, type Tries } from './recommend/success-rates.ts'
export { shareIn, wordsOf } from './recommend/words.ts'
export { countDecisions, describeAgentDecisions } from './responses/agent-decisions.ts'
export { costIn, costOf } from './responses/cost.ts'
export { estimateFor, expect } from './responses/estimates.ts'
export { type Expectation, expectationOf } from './responses/expectation.ts'
export { describeFailure } from './responses/failure.ts'
export { peakBytes } from './responses/held-bytes.ts'
export { type Measures, measure } from './responses/measures.ts'
export {
  describeCostByProvider,
  describePerformance,
  describeQuality,
  describeResources,
  describeResponseTimes,
} from './responses/performance.ts'
export { describeIndicators, describePhase, describeProgress } from './responses/progress.ts'
export { type RanStep, sumOf } from './responses/ran-steps.ts'
export { createReachOf, type Reach } from './responses/reach.ts'
export { recoveryOf } from './responses/recovery.ts'
export { describeResult } from './responses/result.ts'
export { describeResultsByStep } from './responses/results-by-step.ts'
export { describeSharedMemory } from './responses/shared-memory.ts'
export { stepsByState } from './responses/steps-by-state.ts'
export {
  average,
  dollars,
  epochSeconds,
  megabytes,
  percentage,
  roundedScore,
  roundedShare,
  seconds,
} from './responses/units.ts'
export { describeWarnings, type Warning } from './responses/warnings.ts'
export { requireAccount } from './signed-in.ts'
export type { Asked } from './start/asked.ts'
export { describeCallback } from './start/callback-info.ts'
export { type CallbackPlan, refuseAddress } from './start/callback-plan.ts'
export { contentField } from './start/content-field.ts'
export { notificationWishesOf, tellsFailure, wantsNotifications } from './start/notification-preferences.ts'
export { type Callback, createCallbackOpener } from './start/open-callback.ts'
export { progressEveryMs, tellsProgress } from './start/progress-interval.ts'
export { createStarter, type Started } from './start/start-executions.ts'
export { endOfUtcDay, secondsLeftInUtcDay } from './utc-day.ts'
