export { access, authorOf, managesAll, readRate, requireAccount } from './access.ts'
export { type AnswerLinks, createAnswerLinks } from './answer-links.ts'
export { cancelExecution, describeCancelled } from './cancel.ts'
export {
  commonErrorCodes,
  describeError,
  executionFailure,
  invalidField,
} from './errors.ts'
export * as estimates from './estimates.ts'
export { describeGate, GatePart } from './gate.ts'
export { busiestHours, endedHours, endOfUtcDay, startOfHour } from './hours.ts'
export {
  createReachOf,
  describeFailure,
  describeWaitedFailure,
  describeWarnings,
  type Reach,
  recoveryOf,
} from './problems.ts'
export { createStatusOf, type ExecutionStatus, findExecution, findWithTexts } from './read-execution.ts'
export * as criteria from './recommend/criteria.ts'
export * as scoreFactors from './recommend/score-factors.ts'
export * as scoring from './recommend/scoring.ts'
export { baseUrlOf, entityTag, expectedRevision, readIdList, unknownId } from './request-values.ts'
export * as responses from './responses.ts'
export * as schemas from './schemas.ts'
export {
  type Callback,
  type CallbackPlan,
  createStarter,
  describeCallback,
  hasNotifications,
  notificationPreferencesOf,
  progressIntervalMs,
  reportsFailure,
  reportsProgress,
  type Started,
  type StartRequest,
} from './start.ts'
export { describeSuspension, describeWaits, SuspensionPart, WaitPart } from './suspension.ts'
export * as units from './units.ts'
