import { type Static, Type } from 'typebox'
import { overlaps, priorities, timeOutcomes } from '#engine'
import { oneLineOrEmpty } from '#kernel/http'
import { ExecuteFlowAsyncBody } from '../../schemas/requests.ts'
import {
  executionStates,
  flag,
  freeForm,
  integer,
  maybeInteger,
  maybeNumber,
  maybePart,
  maybeText,
  text,
} from '../../schemas/values.ts'

/** Unix time up to the year 3000. */
const Moment = Type.Integer({ minimum: 0, maximum: 32_503_680_000 })
const maybeMoment = (description: string) =>
  Type.Optional(Type.Unsafe<number | null>({ ...Moment, nullable: true, description }))

const Cron = Type.String({
  minLength: 1,
  maxLength: 200,
  description:
    'A cron expression: minute, hour, day of month, month, day of week, optionally with seconds first. `0 9 * * 1-5` is 9:00 from Monday to Friday. At most every 10 seconds.',
})
const Timezone = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'An IANA time zone, such as Europe/Berlin. Default: UTC.',
})

const { flow_id: flowId, context, options } = ExecuteFlowAsyncBody.properties

const fields = {
  label: Type.Optional(
    Type.Unsafe<string | null>({
      type: 'string',
      nullable: true,
      maxLength: 200,
      ...oneLineOrEmpty,
      description: 'The display name.',
    }),
  ),
  flow_version: Type.Optional(
    Type.Unsafe<number | null>({
      type: 'integer',
      nullable: true,
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'The version to run; null: the current version at the time of the run. Default: null.',
    }),
  ),
  context,
  options,
  priority: Type.Optional(
    Type.Enum([...priorities], { description: 'The priority of the executions. Default: normal.' }),
  ),
  overlap: Type.Optional(
    Type.Enum([...overlaps], {
      description:
        'If the previous execution is still running: `skip` skips the run, `queue` starts one execution afterwards for all runs missed meanwhile. Default: skip.',
    }),
  ),
  enabled: Type.Optional(flag('Whether the schedule is enabled. Default: true.')),
  starts_at: maybeMoment('The first possible run, in epoch seconds. Default: now.'),
  ends_at: maybeMoment('The last possible run, in epoch seconds. Default: none.'),
}

export const NewSchedule = Type.Object(
  { flow_id: flowId, cron: Cron, timezone: Type.Optional(Timezone), ...fields },
  { additionalProperties: false },
)

export const ScheduleChange = Type.Object(
  { flow_id: Type.Optional(flowId), cron: Type.Optional(Cron), timezone: Type.Optional(Timezone), ...fields },
  { additionalProperties: false, minProperties: 1 },
)

export const PreviewBody = Type.Object(
  {
    cron: Cron,
    timezone: Type.Optional(Timezone),
    starts_at: fields.starts_at,
    ends_at: fields.ends_at,
    count: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 50, description: 'The number of runs to return. Default: 5.' }),
    ),
  },
  { additionalProperties: false },
)

export type NewSchedule = Static<typeof NewSchedule>
export type ScheduleChange = Static<typeof ScheduleChange>

const Run = Type.Object({
  run_at: integer('Epoch seconds.'),
  local_time: text('The local time in the time zone, with its offset.'),
})

const nextRuns = (description: string) => Type.Array(Run, { description })

const ScheduleError = maybePart(
  {
    code: text('The error code, such as FLOW_NOT_FOUND.'),
    message: Type.String(),
    occurred_at: integer('Epoch seconds.'),
  },
  'The error of the last run; null when it started an execution.',
)

const errorFields = { code: text('The error code, such as FLOW_NOT_FOUND.'), message: Type.String() }

const LastRun = maybePart(
  {
    due_at: integer('The scheduled time in epoch seconds.'),
    outcome: Type.Enum(['started', 'skipped', 'failed'], {
      description: 'Whether an execution was started; `execution_status` has how it ended.',
    }),
    execution_id: maybeText('The execution of this run; null when none was started.'),
    execution_status: Type.Unsafe<(typeof executionStates)[number] | null>({
      type: 'string',
      enum: [...executionStates, null],
      nullable: true,
      description: 'The status of the execution; null when none was started, or when it was deleted.',
    }),
    execution_error: maybePart(errorFields, 'Why the execution failed; null otherwise.'),
    duration: maybeNumber('The duration of the execution in seconds; null until it has ended.'),
  },
  'The outcome of the last run; null before the first.',
)

const RecentRun = Type.Object({
  due_at: integer('The scheduled time in epoch seconds; the time of the request for a manual run.'),
  kind: Type.Enum(['scheduled', 'manual']),
  outcome: Type.Enum([...timeOutcomes], {
    description:
      'The status of the execution. `skipped`: the previous execution was still running. `not_started`: the start failed. `expired`: the execution was deleted after its retention time.',
  }),
  execution_id: maybeText('Null when no execution was started.'),
  duration: maybeNumber('The duration of the execution in seconds; null until it has ended.'),
  tries: integer('Attempts to start the run; more than one after a temporary error.'),
  error: maybePart(errorFields, 'Why the start or the execution failed; null otherwise.'),
})

const RunCounts = Type.Object(
  {
    completed: integer('Executions that completed.'),
    failed: integer('Executions that failed.'),
    cancelled: integer('Executions that were cancelled.'),
    running: integer('Executions that are queued or running.'),
    skipped: integer('Runs skipped because the previous execution was still running.'),
    not_started: integer('Runs that could not start an execution.'),
    failed_tries: integer('Attempts to start a run that failed.'),
  },
  { description: 'The outcomes of the last 50 runs.' },
)

export const ScheduleResponse = Type.Object(
  {
    schedule_id: Type.String(),
    label: maybeText('The display name.'),
    flow_id: Type.String(),
    flow_version: maybeInteger('Null: the current version at the time of the run.'),
    account_id: text('The account that pays and needs the permission to run workflows.'),
    created_by: maybeText('The account that created it.'),
    cron: Type.String(),
    timezone: Type.String(),
    context: freeForm('The context of each execution.'),
    options: freeForm('The options of each execution.'),
    priority: Type.Enum([...priorities]),
    overlap: Type.Enum([...overlaps]),
    enabled: flag('False when the schedule is disabled, or its account is disabled or deleted.'),
    status: Type.Enum(['active', 'paused', 'ended'], {
      description: '`paused`: disabled. `ended`: no further run between `starts_at` and `ends_at`.',
    }),
    starts_at: maybeInteger('Epoch seconds.'),
    ends_at: maybeInteger('Epoch seconds.'),
    next_run_at: maybeInteger('Epoch seconds; null without a further run.'),
    next_runs: nextRuns('The next five runs; in lists only the next one.'),
    last_run: LastRun,
    recent: Type.Array(RecentRun, {
      description: 'The last runs, scheduled and manual, newest first: at most 50; in lists at most 12.',
    }),
    runs: RunCounts,
    last_execution_id: maybeText('The last execution that the schedule started; null before the first.'),
    last_error: ScheduleError,
    counts: Type.Object({
      started: integer('Runs that started an execution.'),
      skipped: integer('Runs skipped because the previous execution was still running.'),
      failed: integer('Runs that could not start an execution.'),
    }),
    created_at: integer('Epoch seconds.'),
    updated_at: integer('Epoch seconds.'),
  },
  { description: 'A schedule.' },
)

export const ScheduleList = Type.Object(
  { schedules: Type.Array(ScheduleResponse), total: integer('Number of schedules on all pages.') },
  { description: 'A page of schedules, the oldest first.' },
)

export const SavedSchedule = Type.Object(
  { success: Type.Literal(true), schedule_id: Type.String(), schedule: ScheduleResponse },
  { description: 'The saved schedule.' },
)

export const DeletedSchedule = Type.Object(
  { success: Type.Literal(true), schedule_id: Type.String(), status: Type.Enum(['deleted']) },
  { description: 'The schedule is deleted. Its running executions continue.' },
)

export const StartedRun = Type.Object(
  {
    success: Type.Literal(true),
    schedule_id: Type.String(),
    execution_id: Type.String(),
    status: text('The current status of the execution.'),
  },
  { description: 'The execution is queued.' },
)

export const SchedulePreview = Type.Object(
  {
    cron: Type.String(),
    timezone: Type.String(),
    next_runs: nextRuns('The next runs; fewer when the schedule ends.'),
  },
  { description: 'The next runs of the expression.' },
)
