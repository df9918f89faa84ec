import { type Static, Type } from 'typebox'
import { overlaps, priorities } from '#engine'
import { oneLineOrEmpty } from '#kernel/http'
import { ExecuteFlowAsyncBody } from '../../schemas/requests.ts'
import { flag, freeForm, integer, maybeInteger, maybePart, maybeText, text } from '../../schemas/values.ts'

/** Far enough for every plan, and no further than dates can be written. */
const Moment = Type.Integer({ minimum: 0, maximum: 32_503_680_000 })
const maybeMoment = (description: string) =>
  Type.Optional(Type.Unsafe<number | null>({ ...Moment, nullable: true, description }))

const Cron = Type.String({
  minLength: 1,
  maxLength: 200,
  description:
    'Minute, hour, day of the month, month, day of the week; with the second before them, six. `0 9 * * 1-5` is 9:00 from Monday to Friday. At most every 10 seconds.',
})
const Timezone = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'A name of the IANA database, such as Europe/Berlin. Default: UTC.',
})

const { flow_id: flowId, context, options } = ExecuteFlowAsyncBody.properties

const fields = {
  label: Type.Optional(
    Type.Unsafe<string | null>({
      type: 'string',
      nullable: true,
      maxLength: 200,
      ...oneLineOrEmpty,
      description: 'What people call it.',
    }),
  ),
  flow_version: Type.Optional(
    Type.Unsafe<number | null>({
      type: 'integer',
      nullable: true,
      minimum: 1,
      maximum: 2_147_483_647,
      description: 'One of its versions; null: whichever is current when the time comes. Default: null.',
    }),
  ),
  context,
  options,
  priority: Type.Optional(Type.Enum([...priorities], { description: 'Of the executions. Default: normal.' })),
  overlap: Type.Optional(
    Type.Enum([...overlaps], {
      description:
        'When a time comes and the execution before is not over: `skip` leaves the time out, `queue` waits, and times that pass meanwhile fall together. Default: skip.',
    }),
  ),
  enabled: Type.Optional(flag('Whether it runs. Default: true.')),
  starts_at: maybeMoment('Epoch seconds; not before. Default: at once.'),
  ends_at: maybeMoment('Epoch seconds; not after. Default: never.'),
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
    count: Type.Optional(Type.Integer({ minimum: 1, maximum: 50, description: 'How many. Default: 5.' })),
  },
  { additionalProperties: false },
)

export type NewSchedule = Static<typeof NewSchedule>
export type ScheduleChange = Static<typeof ScheduleChange>

const Run = Type.Object({
  run_at: integer('Epoch seconds.'),
  local_time: text('The same on a clock in the time zone, with its offset.'),
})

const nextRuns = (description: string) => Type.Array(Run, { description })

const ScheduleError = maybePart(
  { code: text('Such as FLOW_NOT_FOUND.'), message: Type.String(), occurred_at: integer('Epoch seconds.') },
  'Why nothing was started the last time; null when something was.',
)

export const ScheduleResponse = Type.Object(
  {
    schedule_id: Type.String(),
    label: maybeText('What people call it.'),
    flow_id: Type.String(),
    flow_version: maybeInteger('Null: whichever is current when the time comes.'),
    account_id: text('Whose money is spent, and who must be allowed to run workflows.'),
    created_by: maybeText('The account that made it.'),
    cron: Type.String(),
    timezone: Type.String(),
    context: freeForm('What each execution is given.'),
    options: freeForm('How each execution is to run.'),
    priority: Type.Enum([...priorities]),
    overlap: Type.Enum([...overlaps]),
    enabled: flag('False when it was disabled, or when its account is disabled or deleted.'),
    status: Type.Enum(['active', 'paused', 'ended'], {
      description: '`paused`: not enabled. `ended`: no time of it lies in its window any more.',
    }),
    starts_at: maybeInteger('Epoch seconds.'),
    ends_at: maybeInteger('Epoch seconds.'),
    next_run_at: maybeInteger('Epoch seconds; null when it does not run again.'),
    next_runs: nextRuns('The next five; in lists the next one alone.'),
    last_run: maybePart(
      {
        due_at: integer('Epoch seconds: the time that came.'),
        outcome: Type.Enum(['started', 'skipped', 'failed']),
      },
      'What became of the last time that came; null before the first.',
    ),
    last_execution_id: maybeText('The last execution that a time has started; null before the first.'),
    last_error: ScheduleError,
    counts: Type.Object({
      started: integer('Times that started an execution.'),
      skipped: integer('Times that were left out, because the execution before was not over.'),
      failed: integer('Times at which nothing could be started.'),
    }),
    created_at: integer('Epoch seconds.'),
    updated_at: integer('Epoch seconds.'),
  },
  { description: 'A schedule.' },
)

export const ScheduleList = Type.Object(
  { schedules: Type.Array(ScheduleResponse), total: integer('Schedules on all pages together.') },
  { description: 'A page of schedules, the oldest first.' },
)

export const SavedSchedule = Type.Object(
  { success: Type.Literal(true), schedule_id: Type.String(), schedule: ScheduleResponse },
  { description: 'The schedule as it is now.' },
)

export const DeletedSchedule = Type.Object(
  { success: Type.Literal(true), schedule_id: Type.String(), status: Type.Enum(['deleted']) },
  { description: 'The schedule is gone. Executions that it has started go on.' },
)

export const StartedRun = Type.Object(
  {
    success: Type.Literal(true),
    schedule_id: Type.String(),
    execution_id: Type.String(),
    status: text('Of the execution, as it is now.'),
  },
  { description: 'The execution waits in the queue.' },
)

export const SchedulePreview = Type.Object(
  {
    cron: Type.String(),
    timezone: Type.String(),
    next_runs: nextRuns('The next times; fewer when there are no more.'),
  },
  { description: 'When it would run.' },
)
