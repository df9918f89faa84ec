import { callbackCompleted, callbackFailed, callbackProgress, callbackStarted } from './callback-events.ts'
import { costThreshold } from './costs.ts'
import { decisionMade } from './decisions.ts'
import { completed, failed } from './ended.ts'
import { started } from './started.ts'
import { stepCompleted } from './steps.ts'
import type { Teller } from './teller.ts'

/** Everything that is told of executions, besides what takes a look at others (`watch-durations.ts`). */
const tellers: readonly Teller[] = [
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

/** Those who tell of this type of the journal something that is wanted. */
export function tellersOf(type: string, wanted: ReadonlySet<string>): readonly Teller[] {
  return tellers.filter(({ name, of }) => of.includes(type) && wanted.has(name))
}
