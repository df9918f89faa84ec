import { Type } from 'typebox'
import { WarningPart } from '../executions/answer.ts'
import {
  freeForm,
  integer,
  maybeInteger,
  maybeNumber,
  maybeText,
  number,
  text,
  texts,
} from '../schemas/values.ts'

const Explained = Type.Object({
  factor: Type.String(),
  score: maybeNumber('0 to 1; null: nothing is known. In `match` that counts as 0.5, in `fit` not at all.'),
  weight: number('Against the other factors of the same list.'),
  evidence: Type.String(),
})

const estimateSource =
  '`agent_history`: its runs of the last 30 days. `catalogue`: the price of the model and of the agent. Null without an estimate.'

const AlternativeConfig = Type.Object({
  config: text('The model that would answer instead.'),
  settings: freeForm('What to set in the step of the agent.'),
  cost: maybeNumber('Dollars for a run; null when nobody can tell.'),
  duration: maybeNumber(
    'Seconds an answer of this model took on average, in all flows; null when it was not asked.',
  ),
  accuracy: maybeNumber(
    '0 to 1: how good texts of this model were measured to be, in all flows; null when none was.',
  ),
})

const Recommendation = Type.Object({
  agent_id: Type.String(),
  label: Type.String(),
  category: Type.String(),
  confidence: number(
    '0 to 1, how much is known: 0.5 × n / (n + 10) for n runs, 0.3 × the share of what was asked that could be judged, 0.2 × how reliable the estimates are.',
  ),
  match_score: number(
    '0 to 1: the mean of fit, success, quality, cost and speed, weighted as `prioritize` says. What is not known counts as 0.5.',
  ),
  reasoning: text('Why, in a sentence or two.'),
  estimated_cost: maybeNumber('Dollars for a run; null when nobody can tell.'),
  estimated_cost_source: maybeText(estimateSource),
  estimated_duration: maybeNumber('Seconds: the middle of its runs; null when it has none.'),
  success_probability: maybeNumber('0 to 1: (completed + 1) / (runs + 2); null without runs.'),
  quality_improvement_potential: maybeNumber(
    'Points that its texts were measured above `current_quality_score`; null when either is not known.',
  ),
  provider: maybeText('Who would answer it now; null when it asks no model, or nobody can.'),
  model: maybeText('The model that would answer it now; null likewise.'),
  sample_size: integer('Runs of the last 30 days that completed or failed.'),
  pros: texts('What speaks for it.'),
  cons: texts('What speaks against it.'),
  alternative_configs: Type.Array(AlternativeConfig, {
    description: 'The same agent with other models; three at most.',
  }),
  explanation: Type.Optional(
    Type.Object(
      { match: Type.Array(Explained), fit: Type.Array(Explained) },
      {
        description:
          'With `explain_recommendations`: what `match_score` is made of, and the part `fit` of it.',
      },
    ),
  ),
})

export const RecommendAnswer = Type.Object(
  {
    recommendations: Type.Array(Recommendation, { description: 'Ten at most, the best first.' }),
    context_analysis: Type.Object({
      complexity: maybeText(
        '`low`, `medium` or `high`, by length, what search engines are to find, and what is missing in quality; null when nothing of it was said.',
      ),
      domain: maybeText('The type of content that was named; null when none was.'),
      estimated_tokens: maybeInteger('A quarter of the characters; null without a length.'),
      processing_difficulty: maybeNumber(
        '0 to 1: the mean of how full the best agent is with this content, what is missing in quality, and how much of the time it needs, as far as known; null when nothing is.',
      ),
      similar_workflows: texts('Workflows in which recommended agents work, those with most of them first.'),
      success_factors: texts('What speaks for the first recommendation.'),
    }),
    workflow_suggestions: Type.Array(
      Type.Object({
        type: Type.Enum(['sequential', 'parallel']),
        agents: texts('In their order.'),
        estimated_total_cost: maybeNumber('Dollars; null when that of one of them is not known.'),
        estimated_total_duration: maybeNumber('Seconds; null likewise.'),
        confidence: number('That of the agent of which least is known.'),
      }),
      { description: 'Agents of different kinds that go together.' },
    ),
    cost_breakdown: Type.Object(
      {
        base_processing: maybeNumber('Dollars for the model.'),
        premium_features: maybeNumber('Dollars that the agent costs besides the model.'),
        bulk_discount: maybeNumber(
          'Dollars less for each item of a batch of more than one; not in the total.',
        ),
        total_estimated: maybeNumber('Dollars.'),
      },
      { description: 'Of a run of the first recommendation; null where nobody can tell.' },
    ),
    total_agents_analyzed: integer('All agents there are.'),
    excluded_agents: Type.Array(
      Type.Object({ agent_id: Type.String(), reasons: Type.Array(Type.String()) }),
      {
        description: 'Agents that were left out, and why.',
      },
    ),
    warnings: Type.Array(WarningPart, {
      description: 'Preferred providers that nothing recommended would be answered by, and why.',
    }),
    recommendation_timestamp: integer('Epoch seconds.'),
  },
  { description: 'Agents that suit a content, the best first.' },
)
