import { executionMs } from '#engine'
import { estimates, progressIntervalMs, responses, units } from '#executions-api'
import type { EventMapper, EventMapperInput } from '../event-mapper.ts'
import { describeCompletion, describeEndWithoutSuccess } from './ended.ts'
import { describeStart } from './started.ts'

/** A result longer than this as JSON is omitted; the receiver reads it from the execution. */
const maxResultLength = 1024 * 1024

export const callbackStarted: EventMapper = {
  name: 'execution.started',
  of: ['execution_started'],
  estimates: true,
  describe: (about) => ({ ...describeStart(about), status: 'running' }),
}

/** After each step, in a batch after each item; not for callbacks with a progress interval. */
export const callbackProgress: EventMapper = {
  name: 'execution.progress',
  of: ['step_completed', 'step_failed', 'item_finished'],
  estimates: true,
  describe(about) {
    const { event, record } = about
    const isUnit = (record.input.batch === undefined) !== (event.type === 'item_finished')
    if (!isUnit || progressIntervalMs(record.input) !== undefined) return undefined
    return describeProgressOf(about)
  },
}

export const callbackCompleted: EventMapper = {
  name: 'execution.completed',
  of: ['execution_completed'],
  estimates: false,
  describe(about) {
    const result = responses.describeResult(about.record)
    const fits = (JSON.stringify(result) ?? '').length <= maxResultLength
    return { ...describeCompletion(about), result: fits ? result : null, result_omitted: !fits }
  },
}

export const callbackFailed: EventMapper = {
  name: 'execution.failed',
  of: ['execution_failed', 'execution_cancelled'],
  estimates: true,
  describe: describeEndWithoutSuccess,
}

/** The progress of an execution, after a step or at any time. */
export function describeProgressOf({
  event,
  record,
  estimate,
}: Pick<EventMapperInput, 'record' | 'estimate'> & {
  readonly event: Pick<EventMapperInput['event'], 'at' | 'data'>
}) {
  const expected = estimates.expectationOf(record, estimate, event.at)
  const { remainingMs } = expected
  return {
    execution_id: record.id,
    flow_id: record.flowId,
    flow_version: record.flowVersion,
    status: 'running',
    step_id: event.data['step_id'] ?? null,
    item: event.data['item'] ?? null,
    progress: responses.describeProgress(record, expected, event.at),
    elapsed_time: units.seconds(executionMs(record, event.at) ?? 0),
    estimated_remaining: remainingMs === null ? null : units.seconds(remainingMs),
    cost_so_far: units.dollars(record.spent),
  }
}
