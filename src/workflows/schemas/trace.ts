import { Type } from 'typebox'
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

const step = {
  step_id: Type.String(),
  label: maybeText('What people call it.'),
  step_type: Type.String(),
  state: Type.Enum(['waiting', 'running', 'completed', 'failed', 'skipped']),
  on_demand: flag('Runs only when an agent adds it.'),
  ready_at: maybeMoment('Since then nothing before it was missing; null while something is.'),
  started_at: maybeMoment('Null until it begins.'),
  finished_at: maybeMoment('Null until it is over.'),
  attempts: Type.Array(
    Type.Object({
      number: integer('1 is the first.'),
      started_at: number('Epoch seconds, to the millisecond.'),
      finished_at: maybeMoment('Null while it goes on.'),
      error: StoredErrorPart,
    }),
    { description: 'Its tries; between two of them it paused.' },
  ),
  input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  cost: number('Dollars.'),
  unpriced,
  ai_provider: maybeText('Who answered; null when no model was asked.'),
  model_used: maybeText('The model that answered.'),
  cache_hits: integer('Answers that were remembered and cost nothing.'),
  confidence: maybeNumber('0 to 1; null when nothing measured it.'),
  quality: maybeNumber('0 to 100; null when nothing measured it.'),
  output_to_memory: maybeText('The key under which what it makes is left for others.'),
  skipped_because: maybeText('Why it did not run.'),
  reused_from: maybeText('The execution its result was taken over from.'),
  error: StoredErrorPart,
}

export const TraceBody = Type.Object(
  {
    execution_id: Type.String(),
    flow_id: Type.String(),
    flow_version: Type.Integer(),
    flow_label: Type.String(),
    status: Type.Enum([...executionStates]),
    item: integer('Which of the batch this is about, from 0.'),
    items: integer('Items of its batch; 0 without one.'),
    created_at: number('Epoch seconds, to the millisecond.'),
    started_at: maybeMoment('Null before it began.'),
    finished_at: maybeMoment('Null until it is over.'),
    execution_time: maybeNumber(
      'Seconds in which workers executed it, up to `as_of`: neither waiting in the queue nor the time before a recovery counts. Null before it began.',
    ),
    as_of: number('The moment of this answer. Epoch seconds, to the millisecond.'),
    forked_from: maybeText('The execution it was forked from.'),
    forked_at_step: maybeText('The step it was forked at.'),
    edges: Type.Array(
      Type.Object({
        from: Type.String(),
        to: Type.String(),
        kind: Type.Enum(['needs', 'chooses', 'before'], {
          description:
            '`needs`: it uses what the other made. `chooses`: the other decides whether it runs. `before`: an added step that comes first.',
        }),
        label: maybeText('When this way is chosen.'),
        taken: Type.Unsafe<boolean | null>({
          type: 'boolean',
          nullable: true,
          description: 'Whether the edge was chosen; null before the choice, and for edges without one.',
        }),
      }),
    ),
    steps: Type.Array(Type.Object(step), { description: 'In the order of the flow.' }),
    memory: Type.Array(
      Type.Object({
        key: Type.String(),
        step_id: text('The step that left it.'),
        at: number('Epoch seconds, to the millisecond.'),
        bytes: integer('As JSON.'),
      }),
      { description: 'How the shared memory grew.' },
    ),
    decisions: Type.Array(DecisionPart),
  },
  { description: 'How an execution went, step by step.' },
)

/** What an execution was given. */
export const InputBody = Type.Object(
  {
    execution_id: Type.String(),
    context: freeForm('What placeholders and conditions can read.'),
    options: freeForm('How it was to run.'),
    memory: freeForm('The shared memory it began with.'),
    content_batch: Type.Unsafe<readonly unknown[] | null>({
      type: 'array',
      items: {},
      nullable: true,
      description: 'Its items; null without a batch.',
    }),
  },
  { description: 'What an execution was given.' },
)

/** A step with all that went in and came out. */
export const StepTraceBody = Type.Object(
  {
    execution_id: Type.String(),
    item: integer('Which of the batch this is about, from 0.'),
    ...step,
    asked: Type.Unsafe<Readonly<Record<string, unknown>> | null>({
      type: 'object',
      nullable: true,
      additionalProperties: true,
      description:
        'What it was given to do, with everything filled in: `prompt` and `system`; `agent`, `input`, `instructions` and `parameters`; `method`, `url`, names of `headers` and `body`; what was `compared`; or `sources`. Null before it begins, and where outputs were not kept.',
    }),
    text_so_far: maybeText('The end of what a model has said so far; null unless the step runs.'),
    output: anything('What it made; null before it has.'),
    memory_before: Type.Unsafe<Readonly<Record<string, unknown>> | null>({
      type: 'object',
      nullable: true,
      additionalProperties: true,
      description: 'The shared memory as it began; null as with `asked`.',
    }),
    details: freeForm('What only steps of its type tell.'),
    definition: anything('The step as the flow has it.'),
  },
  { description: 'One step of an execution.' },
)
