import { Type } from 'typebox'
import {
  flag,
  freeForm,
  integer,
  maybeInteger,
  maybeNumber,
  maybeText,
  number,
  text,
  texts,
  unpriced,
} from '../schemas/values.ts'

export const executionStates = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const

export const WarningPart = Type.Object({
  type: text('Such as `step_warning`, `step_retried`, `cost_alert` or `mail_not_configured`.'),
  message: Type.String(),
  step: maybeText('The step it is about.'),
  threshold: maybeNumber('The value that was reached, where there is one.'),
  actual: maybeNumber('The value that was found.'),
})

const CallbackPart = Type.Object({
  webhook_url: maybeText('Who is called, as it was given; null when nobody is.'),
  webhook_secret: maybeText(
    'What the calls are signed with. Told once: null in an answer that takes the place of one that was lost.',
  ),
  supported_events: texts('What it will hear of.'),
})

const StepDetail = Type.Object({
  step_id: Type.String(),
  agent: maybeText('Who did it; null for steps that are no agents.'),
  duration: number('Seconds.'),
  tokens_used: integer('Tokens that went in and came out.'),
  cost: number('Dollars.'),
  unpriced,
  success: Type.Boolean(),
})

const common = {
  success: flag('It completed, or was accepted.'),
  execution_id: Type.String(),
  status: Type.Enum([...executionStates]),
  callback_info: CallbackPart,
  warnings: Type.Array(WarningPart),
  timestamp: integer('Epoch seconds of this answer.'),
}

/** An execution that completed while its caller waited. */
export const CompletedExecution = Type.Object({
  ...common,
  result: Type.Object({
    workflow_id: Type.String(),
    steps_executed: integer('Steps that ran.'),
    execution_time: number(
      'Seconds in which workers executed it. Neither waiting in the queue nor the time before a recovery counts.',
    ),
    cost_estimate: number('Dollars it cost.'),
    unpriced,
    results: freeForm(
      'What each step made, by its id; without `track_intermediate_results` those of the last ones.',
    ),
    step_details: Type.Array(StepDetail, { description: 'In the order the steps ended.' }),
  }),
  metrics: Type.Object({
    total_tokens: integer('Tokens that went in and came out.'),
    ai_calls: integer('Calls to models.'),
    cache_hits: integer('Answers that were remembered.'),
    providers_used: texts('Who answered.'),
  }),
})

/** The same for one that was put into the queue, of which nothing has run. */
export const AcceptedExecution = Type.Object({
  ...common,
  result: Type.Object({
    workflow_id: Type.String(),
    steps_executed: integer('0: nothing has run.'),
    execution_time: number('0: nothing has run.'),
    cost_estimate: number('Dollars it is likely to cost; 0 without any history or price.'),
    unpriced,
    results: freeForm('Empty: nothing has run.'),
    step_details: Type.Array(StepDetail, { description: 'Empty: nothing has run.' }),
  }),
  metrics: Type.Object({
    total_tokens: integer('0: nothing has run.'),
    ai_calls: integer('0: nothing has run.'),
    cache_hits: integer('0: nothing has run.'),
    providers_used: texts('Empty: nobody was asked.'),
  }),
  status_url: text('Where to see how it goes.'),
  queue_position: maybeInteger('1 is next; null when it does not wait in the queue.'),
  estimated_start_time: maybeInteger('Epoch seconds; null when nobody can tell.'),
  estimated_completion_time: maybeInteger('Epoch seconds; null when nobody can tell.'),
  approval: Type.Unsafe<'pending' | 'approved' | 'rejected' | null>({
    type: 'string',
    enum: ['pending', 'approved', 'rejected', null],
    nullable: true,
    description: 'Null when nobody has to agree.',
  }),
})
