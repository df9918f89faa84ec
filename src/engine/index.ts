export { createExecutionGauge, executionGauges } from './activity.ts'
export { recoveryActions, recoveryOptionsOf } from './control/recovery-options.ts'
export { checkFlow } from './definition/check-flow.ts'
export { FlowDefinition } from './definition/flow.ts'
export {
  type AgentStep,
  callsModels,
  isPure,
  kindOf,
  sendsPrompt,
  stepTypes,
} from './definition/step-types.ts'
export { createEngine, type Engine, type EngineOptions, type ExecutionRecord } from './engine.ts'
export { engineFailure } from './errors.ts'
export { type ExecutionInput, ExecutionOptions, priorities } from './execution/input.ts'
export { rulesOf } from './execution/rules.ts'
export { templates } from './expressions.ts'
export { checkWholeFlow } from './flows/check-whole-flow.ts'
export { FlowMetadata } from './flows/flow-metadata.ts'
export { createFlows } from './flows/flows.ts'
export type { Flow } from './flows/read-flows.ts'
export { similarIds } from './flows/similar-ids.ts'
export { describeGraph } from './graph/graph.ts'
export { addDurations, quantileMs } from './history/duration-buckets.ts'
export { predictExecution } from './history/flow-estimate.ts'
export { forecastHours } from './history/forecast.ts'
export type { HistoryResult } from './history/history.ts'
export { timeframes } from './history/period.ts'
export { overlaps } from './schedules/schedule.ts'
export { formatText } from './steps/ai-prompt/formatting/format-text.ts'
export { scoreQuality } from './steps/ai-prompt/quality.ts'
export type { ModelCalls } from './steps/models/model-calls.ts'
export type { RunAgent } from './steps/run-step.ts'
export { StepFailure } from './steps/step-failure.ts'
export type { AgentDecision, StepRun } from './steps/step-run.ts'
export type { ExecutionEvent } from './store/commit.ts'
export { executionMs } from './store/read-execution.ts'
export { traceExecution } from './trace/trace-execution.ts'
export { type HumanTask, mayAnswer, maySee, type Person } from './waits/human-tasks.ts'
