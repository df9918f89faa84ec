import { executionMs } from '#engine'
import {
  describeProgress,
  describeResult,
  dollars,
  expectationOf,
  progressEveryMs,
  seconds,
  type Teller,
  type TellerInput,
} from '#runs'
import { describeCompletion, describeEndWithoutSuccess } from './ended.ts'
import { describeStart } from './started.ts'

/** A result that is longer than this as JSON is not sent along: whoever wants it reads the execution. */
const longestResult = 1024 * 1024

export const callbackStarted: Teller = {
  name: 'execution.started',
  of: ['execution_started'],
  estimates: true,
  describe: (about) => ({ ...describeStart(about), status: 'running' }),
}

/** With each step that is over, and in a batch with each item; not for those who want to hear of it by the clock. */
export const callbackProgress: Teller = {
  name: 'execution.progress',
  of: ['step_completed', 'step_failed', 'item_finished'],
  estimates: true,
  describe(about) {
    const { event, record } = about
    const isUnit = (record.input.batch === undefined) !== (event.type === 'item_finished')
    if (!isUnit || progressEveryMs(record.input) !== undefined) return undefined
    return describeProgressOf(about)
  },
}

export const callbackCompleted: Teller = {
  name: 'execution.completed',
  of: ['execution_completed'],
  estimates: false,
  describe(about) {
    const result = describeResult(about.record)
    const fits = (JSON.stringify(result) ?? '').length <= longestResult
    return { ...describeCompletion(about), result: fits ? result : null, result_omitted: !fits }
  },
}

export const callbackFailed: Teller = {
  name: 'execution.failed',
  of: ['execution_failed', 'execution_cancelled'],
  estimates: true,
  describe: describeEndWithoutSuccess,
}

/** How far it is: after a step, or at any moment. */
export function describeProgressOf({
  event,
  record,
  estimate,
}: Pick<TellerInput, 'record' | 'estimate'> & { readonly event: Pick<TellerInput['event'], 'at' | 'data'> }) {
  const expected = expectationOf(record, estimate, event.at)
  const { remainingMs } = expected
  return {
    execution_id: record.id,
    flow_id: record.flowId,
    flow_version: record.flowVersion,
    status: 'running',
    step_id: event.data['step_id'] ?? null,
    item: event.data['item'] ?? null,
    progress: describeProgress(record, expected, event.at),
    elapsed_time: seconds(executionMs(record, event.at) ?? 0),
    estimated_remaining: remainingMs === null ? null : seconds(remainingMs),
    cost_so_far: dollars(record.spent),
  }
}
