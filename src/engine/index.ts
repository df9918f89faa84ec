export { type Activity, createActivity, createExecutionGauge, executionGauges } from './activity.ts'
export { recoveryActions, recoveryOptionsOf } from './control/recovery-options.ts'
export { type CheckedFlow, checkFlow } from './definition/check-flow.ts'
export { FlowDefinition } from './definition/flow.ts'
export { type AgentStep, asksModels, type Step, type StepType } from './definition/step-types.ts'
export { createEngine, type Engine, type EngineOptions } from './engine.ts'
export { engineFailure } from './errors.ts'
export { type ExecutionInput, ExecutionOptions, type Priority, priorities } from './execution/input.ts'
export { rulesOf } from './execution/rules.ts'
export type { ExecutionFacts, OutcomeDetails } from './execution/stats.ts'
export type { ExecutionRecord, Executions, WhatToRun } from './executions.ts'
export { lookUp, type Scope } from './expressions/path.ts'
export {
  asText,
  describeBadPlaceholder,
  fillText,
  fillValue,
  placeholdersIn,
  placeholdersInValue,
} from './expressions/template.ts'
export { type AgentCheck, type CheckedWhole, checkWholeFlow } from './flows/check-whole-flow.ts'
export { describeGraph, type FlowShape } from './flows/describe-graph.ts'
export type { Flow } from './flows/flow.ts'
export { FlowMetadata } from './flows/flow-metadata.ts'
export { createFlows, type Flows, type SavedFlow } from './flows/flows.ts'
export type { BuiltInFlow } from './flows/seed-built-in.ts'
export { similarIds } from './flows/similar-ids.ts'
export { type Edge, edgesOf } from './graph/edges.ts'
export { addDurations, type Durations, quantileMs } from './history/duration-buckets.ts'
export type { Estimate, EstimateSource } from './history/estimate.ts'
export type { FlowSums, ModelSums, StepSums, SumsBefore } from './history/figures.ts'
export type { BatchShape, FlowEstimate } from './history/flow-estimate.ts'
export type { FlowRecord } from './history/flow-records.ts'
export { type Forecast, forecastHours } from './history/forecast.ts'
export {
  type AgentFiguresOf,
  createHistory,
  type FiguresOf,
  type History,
  type HistoryOptions,
  type OverviewOf,
} from './history/history.ts'
export type { ModelRecord } from './history/model-records.ts'
export { type Timeframe, timeframes } from './history/period.ts'
export { type Prediction, predictExecution, type UnderWay } from './history/predict-execution.ts'
export type { QueueWait } from './history/queue-wait.ts'
export type { StepEstimate } from './history/step-estimates.ts'
export type { FollowedEvent } from './live/follow-execution.ts'
export type { LiveStep } from './live/live-steps.ts'
export { engineMigrations } from './migrations.ts'
export { overlaps, type Schedule } from './schedules/schedule.ts'
export type { ScheduleWish } from './schedules/schedules.ts'
export { type EngineSettings, engineSettings } from './settings.ts'
export { formatText } from './steps/ai-prompt/formatting/format-text.ts'
export { judgeQuality } from './steps/ai-prompt/quality.ts'
export { findModelWarnings } from './steps/check-models.ts'
export { runConditional } from './steps/conditional.ts'
export { runDataTransform } from './steps/data-transform.ts'
export { createExternalApiExecutor } from './steps/external-api.ts'
export { askModel } from './steps/models/ask-model.ts'
export { explainModelFailure } from './steps/models/explain-model-failure.ts'
export { modelRequestOf } from './steps/models/model-request.ts'
export { createTally, type Tally } from './steps/models/tally.ts'
export { warnOfPreference } from './steps/models/warn-of-preference.ts'
export { takeNoteOfMissing } from './steps/needs.ts'
export { createStepExecutor, type StepExecutorOptions } from './steps/run-step.ts'
export { StepFailure, withUsage } from './steps/step-failure.ts'
export type { AgentDecision, StepExecutor, StepResult, StepRun, StepUsage } from './steps/step-run.ts'
export type { ExecutionEvent, StepOutcome } from './store/commit.ts'
export { executionMs } from './store/execution-time.ts'
export type { LatestRun } from './store/latest-runs.ts'
export type { ExecutionListEntry } from './store/list-executions.ts'
export { type StepTrace, traceExecution } from './trace/trace-execution.ts'
export { scopeOf, whatWasAsked } from './trace/what-was-asked.ts'
