export {
  managesAll,
  managesWorkflows,
  readRate,
  runsWorkflows,
  seesAnalytics,
  seesExecutions,
  seesFlows,
} from './access.ts'
export { type Factor, rounded, weigh } from './advice/factor.ts'
export { languageCodeOf } from './advice/language-code.ts'
export { costFactor, middleOf, qualityFactor, speedFactor } from './advice/measured-factors.ts'
export { warnOfUnusedProviders } from './advice/preferred-providers.ts'
export { type AdvicePriority, priorityNames, priorityWeights } from './advice/priorities.ts'
export { levelPoints, type QualityLevel, qualityLevels } from './advice/quality-levels.ts'
export { evidenceOf, likelyRate, rateBounds, type Tries } from './advice/success-rates.ts'
export { shareIn, wordsOf } from './advice/words.ts'
export { baseUrlOf } from './base-url.ts'
export { cancelExecution } from './cancel-execution.ts'
export { findExecution } from './find-execution.ts'
export { invalidIdList, readIdList } from './id-list.ts'
export { countDecisions, describeAgentDecisions } from './reading/agent-decisions.ts'
export { costIn, costOf } from './reading/cost.ts'
export { estimateFor, expect } from './reading/estimates.ts'
export { type Expectation, expectationOf } from './reading/expectation.ts'
export { describeFailure } from './reading/failure.ts'
export { peakBytes } from './reading/held-bytes.ts'
export { type Measures, measure } from './reading/measures.ts'
export { describeIndicators, describePhase, describeProgress } from './reading/progress.ts'
export { type RanStep, sumOf } from './reading/ran-steps.ts'
export { createReachOf, type Reach } from './reading/reach.ts'
export { describeResult } from './reading/result.ts'
export { describeResultsByStep } from './reading/results-by-step.ts'
export { describeSharedMemory } from './reading/shared-memory.ts'
export { stepsByState } from './reading/steps-by-state.ts'
export {
  average,
  dollars,
  epochSeconds,
  megabytes,
  percentage,
  roundedScore,
  roundedShare,
  seconds,
} from './reading/units.ts'
export { describeWarnings, type Warning } from './reading/warnings.ts'
export { requireAccount } from './signed-in.ts'
export type { Asked } from './start/asked.ts'
export { describeCallback } from './start/callback-info.ts'
export { type CallbackPlan, refuseAddress } from './start/callback-plan.ts'
export { contentField } from './start/content-field.ts'
export { type Callback, createCallbackOpener } from './start/open-callback.ts'
export { createStarter, type Started } from './start/start-executions.ts'
export { type Audience, createAudience } from './telling/audience.ts'
export { aboutExecution } from './telling/build-events.ts'
export { createDispatcher } from './telling/dispatcher.ts'
export { createEstimates } from './telling/estimates.ts'
export { tellsFailure } from './telling/notice-wishes.ts'
export { createNoticesTelling } from './telling/notices.ts'
export { progressEveryMs, tellsProgress } from './telling/progress-interval.ts'
export { isEnd, recordAt } from './telling/record-at.ts'
export { resultsSoFar } from './telling/results-so-far.ts'
export { createShortMemory } from './telling/short-memory.ts'
export {
  type EstimateExecution,
  nothingKnown,
  type Teller,
  type TellerInput,
  type Telling,
  type Watcher,
} from './telling/teller.ts'
export { endOfUtcDay, secondsLeftInUtcDay } from './utc-day.ts'
export { commonWording } from './wording.ts'
