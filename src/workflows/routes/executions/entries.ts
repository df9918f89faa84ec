import { type Static, Type } from 'typebox'
import { type ExecutionListEntry, listedStates, priorities } from '#engine'
import { units } from '#executions-api'
import {
  executionStates,
  flag,
  integer,
  maybeInteger,
  maybeNumber,
  maybeText,
  number,
  text,
  unpriced,
} from '../../schemas/values.ts'

/** An execution in a list. */
export const Entry = Type.Object({
  execution_id: Type.String(),
  flow_id: Type.String(),
  flow_version: Type.Integer(),
  flow_label: Type.String(),
  account_id: Type.String(),
  account_name: maybeText('The username of the account; null when it was deleted.'),
  trigger: text(
    'What started the execution: `trigger`, `schedule`, `rerun`, `fork`, `test` or `request`. Further values may be added.',
  ),
  schedule_id: maybeText('The schedule that started the execution; null for a request.'),
  trigger_id: maybeText('The trigger that started the execution; null for a request.'),
  rerun_of: maybeText('The execution it runs again.'),
  forked_from: maybeText('The execution it was forked from.'),
  status: Type.Enum([...executionStates]),
  state: Type.Enum([...listedStates], {
    description:
      'What the execution does: its status, or that it waits for an approval (`needs_approval`), for a person (`needs_answer`), or for something else (`waiting`).',
  }),
  priority: Type.Enum([...priorities]),
  progress: number('Percentage of finished steps.'),
  items: integer('Items of its batch; 0 without one.'),
  total_cost: number('Dollars so far.'),
  unpriced,
  queue_time: maybeNumber('Seconds from its creation to its first start; null until the end.'),
  duration: maybeNumber('Seconds in which workers ran the execution; null until the end.'),
  retries: maybeInteger('Attempts of steps after their first; null until the end.'),
  tokens: maybeInteger('Tokens of all model calls; null until the end.'),
  suspended: flag('Whether it only waits: for a time, an event or an answer.'),
  gated: flag('Whether a limit of its flow keeps it back.'),
  approval: maybeText('pending, approved or rejected; null when no approval is required.'),
  error_code: maybeText('The error code; null without a failure.'),
  error_message: maybeText('The error message; null without a failure.'),
  created_at: integer('Epoch seconds.'),
  started_at: maybeInteger('Epoch seconds.'),
  finished_at: maybeInteger('Epoch seconds.'),
})

type EntryBody = Static<typeof Entry>

/** The columns of an export. */
export const entryFields = Object.keys(Entry.properties) as readonly (keyof EntryBody)[]

/** Describes an execution of a list; `names` has the usernames of accounts. */
export function describeEntry(entry: ExecutionListEntry, names: ReadonlyMap<string, string>): EntryBody {
  const { startedAt, durationMs, finishedAt } = entry
  return {
    execution_id: entry.id,
    flow_id: entry.flowId,
    flow_version: entry.flowVersion,
    flow_label: entry.flowLabel,
    account_id: entry.accountId,
    account_name: names.get(entry.accountId) ?? null,
    trigger: entry.trigger,
    schedule_id: entry.scheduleId,
    trigger_id: entry.triggerId,
    rerun_of: entry.rerunOf,
    forked_from: entry.forkedFrom,
    status: entry.status,
    state: entry.state,
    priority: entry.priority,
    progress: entry.status === 'completed' ? 100 : (units.percentage(entry.stepsOver, entry.stepsTotal) ?? 0),
    items: entry.items,
    total_cost: units.dollars(entry.spent),
    unpriced: entry.unpriced,
    queue_time: units.seconds(entry.queuedMs),
    duration: units.seconds(durationMs),
    retries: entry.retries,
    tokens: entry.tokens,
    suspended: entry.suspended,
    gated: entry.gated,
    approval: entry.approval,
    error_code: entry.errorCode,
    error_message: entry.errorMessage,
    created_at: units.epochSeconds(entry.createdAt),
    started_at: units.epochSeconds(startedAt),
    finished_at: units.epochSeconds(finishedAt),
  }
}
