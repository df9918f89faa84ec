import { Type } from 'typebox'
import { WarningPart } from '../executions/schemas.ts'
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
  score: maybeNumber('0 to 1; null when unknown. In `match` it then counts as 0.5, in `fit` not at all.'),
  weight: number('Weight relative to the other factors of the list.'),
  evidence: Type.String(),
})

const estimateSource =
  '`agent_history`: its runs of the last 30 days. `catalogue`: the prices of the model and of the agent. Null without an estimate.'

const AlternativeConfig = Type.Object({
  config: text('The alternative model.'),
  settings: freeForm('Settings for the step of the agent.'),
  cost: maybeNumber('Dollars per run; null when unknown.'),
  duration: maybeNumber('Average seconds of a response of this model, in all flows; null without calls.'),
  accuracy: maybeNumber(
    '0 to 1: average measured quality of its texts, in all flows; null without measurements.',
  ),
})

const Recommendation = Type.Object({
  agent_id: Type.String(),
  label: Type.String(),
  category: Type.String(),
  confidence: number(
    '0 to 1, how much is known: 0.5 × n / (n + 10) for n runs, 0.3 × the share of the requested factors with a score, 0.2 × how reliable the estimates are.',
  ),
  match_score: number(
    '0 to 1: the mean of fit, success, quality, cost and speed, weighted by `prioritize`. Unknown factors count as 0.5.',
  ),
  reasoning: text('The reason in one or two sentences.'),
  estimated_cost: maybeNumber('Dollars per run; null when unknown.'),
  estimated_cost_source: maybeText(estimateSource),
  estimated_duration: maybeNumber('Median seconds of its runs; null without runs.'),
  success_probability: maybeNumber('0 to 1: (completed + 1) / (runs + 2); null without runs.'),
  quality_improvement_potential: maybeNumber(
    'Points by which its texts exceed `current_quality_score`; null when either is unknown.',
  ),
  provider: maybeText('The provider it would use now; null when it calls no model or none is available.'),
  model: maybeText('The model it would use now; null likewise.'),
  sample_size: integer('Completed and failed runs of the last 30 days.'),
  pros: texts('Advantages.'),
  cons: texts('Disadvantages.'),
  alternative_configs: Type.Array(AlternativeConfig, {
    description: 'The same agent with other models; at most three.',
  }),
  explanation: Type.Optional(
    Type.Object(
      { match: Type.Array(Explained), fit: Type.Array(Explained) },
      {
        description:
          'With `explain_recommendations`: the factors of `match_score`, and those of its part `fit`.',
      },
    ),
  ),
})

export const RecommendResponse = Type.Object(
  {
    recommendations: Type.Array(Recommendation, { description: 'At most ten, the best first.' }),
    context_analysis: Type.Object({
      complexity: maybeText(
        '`low`, `medium` or `high`, by length, SEO requirements and quality gap; null without these fields.',
      ),
      domain: maybeText('The given content type; null without one.'),
      estimated_tokens: maybeInteger('A quarter of the characters; null without a length.'),
      processing_difficulty: maybeNumber(
        '0 to 1: the mean of content length against the limit of the best agent, quality gap, and duration against the available time; null when all are unknown.',
      ),
      similar_workflows: texts('Workflows with recommended agents, those with the most of them first.'),
      success_factors: texts('The strongest factors of the first recommendation.'),
    }),
    workflow_suggestions: Type.Array(
      Type.Object({
        type: Type.Enum(['sequential', 'parallel']),
        agents: texts('Agents in order.'),
        estimated_total_cost: maybeNumber('Dollars; null when one of them is unknown.'),
        estimated_total_duration: maybeNumber('Seconds; null likewise.'),
        confidence: number('The lowest confidence of its agents.'),
      }),
      { description: 'Combinations of agents of different categories.' },
    ),
    cost_breakdown: Type.Object(
      {
        base_processing: maybeNumber('Cost of the model in dollars.'),
        premium_features: maybeNumber('Surcharge of the agent in dollars.'),
        bulk_discount: maybeNumber('Discount in dollars per item of a batch; not in the total.'),
        total_estimated: maybeNumber('Dollars.'),
      },
      { description: 'A run of the first recommendation; null where unknown.' },
    ),
    total_agents_analyzed: integer('Number of agents.'),
    excluded_agents: Type.Array(
      Type.Object({ agent_id: Type.String(), reasons: Type.Array(Type.String()) }),
      {
        description: 'Excluded agents with the reasons.',
      },
    ),
    warnings: Type.Array(WarningPart, {
      description: 'Preferred providers that no recommendation would use, with the reason.',
    }),
    recommendation_timestamp: integer('Epoch seconds.'),
  },
  { description: 'Recommended agents, the best first.' },
)
