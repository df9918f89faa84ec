import { Type } from 'typebox'
import { WaitPart } from '#executions-api'
import { DecisionPart, StoredErrorPart } from './parts.ts'
import {
  anything,
  executionStates,
  flag,
  freeForm,
  integer,
  maybeNumber,
  maybeText,
  number,
  text,
  unpriced,
} from './values.ts'

const maybeMoment = (description: string) => maybeNumber(`Epoch seconds, to the millisecond. ${description}`)

const stepFields = {
  step_id: text('The id of the step; inside a container its step path, such as `translate_all/7/translate`.'),
  label: maybeText('The display name.'),
  step_type: Type.String(),
  state: Type.Enum(
    ['waiting', 'running', 'suspended', 'completed', 'failed', 'skipped', 'stopped', 'not_run'],
    {
      description:
        '`waiting`: it has not started. `suspended`: it waits for a time, an event or an answer. `stopped`: it ran when the execution ended. `not_run`: the execution ended before it started.',
    },
  ),
  on_demand: flag('Runs only when an agent adds it.'),
  ready_at: maybeMoment('When all its dependencies were finished; null until then.'),
  started_at: maybeMoment('Null until the step starts.'),
  finished_at: maybeMoment('Null until the end.'),
  attempts: Type.Array(
    Type.Object({
      run: integer('Counts the starts of the step, from 1: a recovered execution starts it again.'),
      number: integer('The number of the attempt since this start, from 1.'),
      started_at: number('Epoch seconds, to the millisecond.'),
      finished_at: maybeMoment('Null while the attempt runs.'),
      error: StoredErrorPart,
    }),
    { description: 'The attempts of the step, with pauses between them.' },
  ),
  input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  cost: number('Dollars.'),
  unpriced,
  ai_provider: maybeText('The provider of the model; null without a model call.'),
  model_used: maybeText('The model that was used; null without a model call.'),
  cache_hits: integer('Model calls answered from the cache.'),
  confidence: maybeNumber('The confidence, 0 to 1; null when unknown.'),
  quality: maybeNumber('The quality, 0 to 100; null when it was not measured.'),
  output_to_memory: maybeText('The key of the shared memory for the output; null without one.'),
  skipped_because: maybeText('The reason why the step did not run; null otherwise.'),
  reused_from: maybeText('The execution its result was reused from.'),
  nested: Type.Unsafe<{ readonly total: number; readonly completed: number; readonly failed: number } | null>(
    {
      type: 'object',
      nullable: true,
      required: ['total', 'completed', 'failed'],
      properties: {
        total: integer('Number of scopes, for example items of a loop.'),
        completed: integer('Scopes that have succeeded.'),
        failed: integer('Scopes that have failed.'),
      },
      description: 'The progress of a container; null for other steps, and before it is opened.',
    },
  ),
  error: StoredErrorPart,
}

export const TraceBody = Type.Object(
  {
    execution_id: Type.String(),
    flow_id: Type.String(),
    flow_version: Type.Integer(),
    flow_label: Type.String(),
    status: Type.Enum([...executionStates]),
    item: integer('The index of the batch item, from 0.'),
    items: integer('Items of its batch; 0 without one.'),
    created_at: number('Epoch seconds, to the millisecond.'),
    started_at: maybeMoment('Null before the start.'),
    finished_at: maybeMoment('Null until the end.'),
    execution_time: maybeNumber(
      'Seconds in which workers ran the execution up to `as_of`, without the time in the queue and before a recovery. Null before the start.',
    ),
    as_of: number('The time of this response. Epoch seconds, to the millisecond.'),
    idle: Type.Array(
      Type.Object({
        from: number('Epoch seconds, to the millisecond.'),
        to: number('Epoch seconds, to the millisecond; `as_of` while it lasts.'),
        reason: Type.Enum(['suspended', 'recovery', 'worker_lost'], {
          description:
            '`suspended`: it only waited. `recovery`: between a failure and its recovery. `worker_lost`: until another worker resumed it.',
        }),
      }),
      {
        description:
          'When no worker ran the execution, between its start and its end: this time is not part of `execution_time`.',
      },
    ),
    account_id: text('The account that it belongs to.'),
    trigger: Type.Enum(['request', 'schedule', 'trigger', 'rerun', 'fork'], {
      description: 'What started it.',
    }),
    approval: Type.Unsafe<{
      readonly state: string
      readonly by: string | null
      readonly at: number | null
      readonly note: string | null
    } | null>({
      type: 'object',
      nullable: true,
      required: ['state', 'by', 'at', 'note'],
      properties: {
        state: text('pending, approved or rejected.'),
        by: maybeText('The account that decided.'),
        at: maybeMoment('Null until the decision.'),
        note: maybeText('The note of the decision.'),
      },
      description: 'Null when no approval is required.',
    }),
    waits: Type.Array(WaitPart, {
      description: 'The open waits of all its steps, the next to end first; at most 100.',
    }),
    forked_from: maybeText('The execution it was forked from.'),
    rerun_of: maybeText('The execution it runs again.'),
    forked_at_step: maybeText('The step it was forked at.'),
    edges: Type.Array(
      Type.Object({
        from: Type.String(),
        to: Type.String(),
        kind: Type.Enum(['needs', 'chooses', 'before'], {
          description:
            '`needs`: it uses the output of the other step. `chooses`: the other step decides whether it runs. `before`: an added step that runs first.',
        }),
        label: maybeText('The condition of the edge; null without one.'),
        taken: Type.Unsafe<boolean | null>({
          type: 'boolean',
          nullable: true,
          description: 'Whether the edge was chosen; null before the choice, and for edges without one.',
        }),
      }),
    ),
    steps: Type.Array(Type.Object(stepFields), { description: 'In the order of the flow.' }),
    memory: Type.Array(
      Type.Object({
        key: Type.String(),
        step_id: text('The step that wrote it.'),
        at: number('Epoch seconds, to the millisecond.'),
        bytes: integer('Bytes of its JSON.'),
      }),
      { description: 'The growth of the shared memory.' },
    ),
    decisions: Type.Array(DecisionPart),
    within: maybeText('The container or scope of this trace; null for the flow itself.'),
    scopes: Type.Array(
      Type.Object({
        index: integer('The number of the scope, from 0.'),
        state: Type.Enum(['running', 'completed', 'failed']),
        label: text('The item of the scope, in a few words.'),
        started_at: maybeMoment('Null before its first step ends.'),
        finished_at: maybeMoment('Null until the end.'),
        cost: number('Dollars.'),
        unpriced,
        error: StoredErrorPart,
      }),
      {
        description:
          'With `within` naming a container: its scopes in which a step has ended, failed ones first. Empty otherwise.',
      },
    ),
    scopes_total: integer('Number of scopes of the container; 0 without one.'),
  },
  { description: 'The trace of an execution.' },
)

/** A step with all that went in and came out. */
export const StepTraceBody = Type.Object(
  {
    execution_id: Type.String(),
    item: integer('The index of the batch item, from 0.'),
    ...stepFields,
    asked: Type.Unsafe<Readonly<Record<string, unknown>> | null>({
      type: 'object',
      nullable: true,
      additionalProperties: true,
      description:
        'The input of the step with all placeholders filled in: `prompt` and `system`; `agent`, `input`, `instructions` and `parameters`; `method`, `url`, names of `headers` and `body`; `compared` values; or `sources`. Null before the start, and when outputs are not kept.',
    }),
    text_so_far: maybeText('The last part of the model output so far; null unless the step runs.'),
    output: anything('The output; null before the end of the step.'),
    memory_before: Type.Unsafe<Readonly<Record<string, unknown>> | null>({
      type: 'object',
      nullable: true,
      additionalProperties: true,
      description: 'The shared memory at the start of the step; null in the same cases as `asked`.',
    }),
    details: freeForm('Details that depend on the step type.'),
    definition: anything('The step as the flow has it.'),
  },
  { description: 'One step of an execution.' },
)

/** What an execution was given. */
export const InputBody = Type.Object(
  {
    execution_id: Type.String(),
    context: freeForm('The data for placeholders and conditions.'),
    options: freeForm('The execution options.'),
    memory: freeForm('The initial shared memory.'),
    content_batch: Type.Unsafe<readonly unknown[] | null>({
      type: 'array',
      items: {},
      nullable: true,
      description: 'The batch items; null without a batch.',
    }),
  },
  { description: 'The input of an execution.' },
)
