import { Type } from 'typebox'
import {
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
import { executionStates, WarningPart } from './answer.ts'

const Decision = Type.Object({
  agent: text('Who decided.'),
  decision: text('What it decided.'),
  confidence: maybeNumber('0 to 1; null when nothing measured it.'),
  reasoning: text('Why.'),
  timestamp: integer('Epoch seconds.'),
  context_used: texts('What was looked at.'),
  step: text('The step in which it did.'),
})

/** Where an execution stands. */
export const ExecutionStatus = Type.Object({
  execution_id: Type.String(),
  workflow_id: Type.String(),
  status: Type.Enum([...executionStates]),
  phase: text('Where it stands, in a word, such as `awaiting_capacity` or `agent_working`.'),
  progress_percentage: number('0 to 100, by steps.'),
  current_step: maybeText('One that is under way; null when none is.'),
  current_step_progress: maybeNumber(
    '0 to 100, by the time it usually takes or the phases it has reached; null when nobody can tell.',
  ),
  started_at: maybeInteger('Epoch seconds; null before it began.'),
  estimated_completion: maybeInteger(
    'Epoch seconds; of one that is over its end. Null when nobody can tell.',
  ),
  elapsed_time: number('Seconds in which workers executed it so far.'),
  remaining_time: maybeNumber('Seconds; null when nobody can tell.'),
  steps_completed: texts('Those that succeeded; in a batch for every item.'),
  steps_remaining: texts('Those that may still run.'),
  agent_decisions: Type.Array(Decision),
  intermediate_results: freeForm(
    'What completed steps made, by step; in a batch each has a list by item. Without `track_intermediate_results` the results alone, once it is over.',
  ),
  metrics: Type.Object({
    execution_time: number('Seconds so far.'),
    ai_calls: integer('Calls to models.'),
    tokens_used: integer('Tokens that went in and came out.'),
    cost_estimate: number('Dollars so far.'),
    unpriced,
    cache_hits: integer('Answers that were remembered.'),
    api_calls: integer('Calls to other APIs.'),
  }),
  resource_usage: Type.Object({
    peak_memory: number('Megabytes that context, memory and outputs took.'),
    cpu_time: number('Seconds that steps computed here.'),
    network_requests: integer('Requests to models and other APIs over the network.'),
  }),
  warnings: Type.Array(WarningPart),
  error: Type.Unsafe<Readonly<Record<string, unknown>> | null>({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'Why it failed: `code`, `message`, and the `step` where there is one. Null when it did not.',
  }),
})
