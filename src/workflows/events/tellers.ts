import { type Teller } from '#runs'
import { callbackCompleted, callbackFailed, callbackProgress, callbackStarted } from './callback-events.ts'
import { costThreshold } from './costs.ts'
import { decisionMade } from './decisions.ts'
import { completed, failed } from './ended.ts'
import { started } from './started.ts'
import { stepCompleted } from './steps.ts'

/** Everything that is told of executions, besides what takes a look at others (`watch-durations.ts`). */
export const tellers: readonly Teller[] = [
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
