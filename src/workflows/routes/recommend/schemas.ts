import { Type } from 'typebox'
import { WarningPart } from '../../schemas/parts.ts'
import {
  estimateSources,
  flag,
  freeForm,
  integer,
  maybeInteger,
  maybeNumber,
  maybePart,
  maybeText,
  number,
  numbersBy,
  text,
  texts,
} from '../../schemas/values.ts'

const Explained = Type.Object({
  factor: Type.String(),
  score: maybeNumber('0 to 1; null: nothing is known, and it does not count.'),
  weight: number('Against the other factors of the same list.'),
  evidence: Type.String(),
})

const Reasoning = Type.Object({
  primary_factors: texts('What speaks most for it, the weightiest first.'),
  context_alignment: freeForm(
    'How well it suits, by what was asked: 0 to 1, null where nothing can be told.',
  ),
  performance_indicators: Type.Object({
    sample_size: integer('Executions of the last 30 days that completed or failed.'),
    success_rate: maybeNumber('Percent; null without executions.'),
    average_quality: maybeNumber('0 to 100; null when none was measured.'),
    quality_samples: integer('How often quality was measured.'),
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

const ExecutionEstimates = Type.Object({
  duration: maybeNumber('Seconds; null when unknown.'),
  duration_source: maybeText(estimateSources),
  cost: maybeNumber('Dollars; null when unknown.'),
  cost_source: maybeText(estimateSources),
  success_probability: maybeNumber('0 to 1: (completed + 1) / (executions + 2); null without executions.'),
  completion_confidence: maybeNumber(
    '0 to 1: the rate of success that is reached with a probability of 95 %, by how many executions there were; null without any.',
  ),
})

const Variant = Type.Object({
  variant: Type.Enum(['premium_quality', 'cheaper_model', 'without_optional_steps']),
  duration: maybeNumber('Seconds; null when unknown.'),
  cost: maybeNumber('Dollars; null when unknown.'),
  quality_tradeoff: Type.Optional(
    maybeNumber('Points of quality that are given up; null when it was not measured.'),
  ),
  quality_improvement: Type.Optional(
    maybeNumber('Points of quality that are won; null when it was not measured.'),
  ),
  description: text('What is set, and what it does.'),
})

const Recommendation = Type.Object({
  flow_id: Type.String(),
  label: Type.String(),
  version: integer('The version that was looked at: the current one.'),
  confidence: number(
    '0 to 1, how much is known: 0.5 × n / (n + 10) for n executions, 0.3 × the share of the requested factors with a score, 0.2 × how reliable the estimates are.',
  ),
  match_score: number(
    '0 to 1: the mean of fit, success, quality, cost and speed, weighted as `prioritize` says.',
  ),
  recommendation_strength: Type.Enum(['strong', 'moderate', 'weak']),
  reasoning: Reasoning,
  estimated_outcomes: Type.Object({
    quality_improvement: maybeNumber(
      'Points of 100 between the quality its texts reached on average and that of the content now; null when either is not known.',
    ),
    execution_estimates: ExecutionEstimates,
  }),
  flow_composition: Type.Object({
    total_steps: Type.Integer(),
    ai_steps: Type.Integer(),
    conditional_steps: Type.Integer(),
    api_steps: Type.Integer(),
    transform_steps: Type.Integer(),
    critical_steps: texts('Steps that always run and whose failure ends an execution.'),
  }),
  provider_strategy: Type.Object({
    primary_provider: maybeText('Who would answer most of its steps; null when no step asks a model.'),
    providers: texts('All providers that would be used.'),
    models: Type.Array(
      Type.Object({
        step_id: Type.String(),
        model: maybeText('The model that would answer now.'),
        provider: maybeText('Who provides it.'),
        named: flag('Whether the flow names it; else the default chain chose.'),
      }),
    ),
    preferred_providers_used: Type.Array(Type.String()),
    fallback: text('What happens when a provider cannot answer.'),
  }),
  risk_assessment: Type.Object({
    risk_level: Type.Enum(['low', 'medium', 'high']),
    potential_issues: Type.Array(Type.String()),
    mitigation_strategies: Type.Array(Type.String()),
  }),
  customization_options: Type.Array(Variant, {
    description: 'Other ways to run it whose numbers can be told; empty when there are none.',
  }),
})

const ContextAnalysis = Type.Object({
  content_type: maybeText('As it was given.'),
  domain: maybeText('As it was given.'),
  language: maybeText('As it was given.'),
  complexity: maybeText('As it was given.'),
  estimated_tokens: maybeInteger('About a token for four characters of `length`; null without a length.'),
  quality_gaps: Type.Array(
    Type.Object({
      metric: Type.Enum(['readability', 'seo', 'accuracy', 'structure']),
      current: Type.Number(),
      target: Type.Number(),
      gap: Type.Number(),
    }),
    { description: 'Metrics below `target_seo_score` or what `required_quality_level` asks for.' },
  ),
  time_available: maybeNumber('Seconds by the tightest of duration, window and deadline; null without any.'),
  needs: texts('Everything flows were compared with.'),
  flows_available: integer('Flows there are.'),
  flows_considered: integer('Those that were looked at closely: the 60 that fit best.'),
})

const Comparison = Type.Object({
  comparison_matrix: Type.Array(
    Type.Object({
      flow_id: Type.String(),
      match_score: Type.Number(),
      confidence: Type.Number(),
      duration: maybeNumber('Seconds.'),
      cost: maybeNumber('Dollars.'),
      success_probability: maybeNumber('0 to 1.'),
      quality: maybeNumber('0 to 100.'),
      steps: Type.Integer(),
      risk_level: Type.String(),
    }),
  ),
  recommendation_summary: text('Which one and why, in a sentence or two.'),
})

export const RecommendResponse = Type.Object(
  {
    recommendations: Type.Array(Recommendation, { description: 'At most ten, the best first.' }),
    context_analysis: ContextAnalysis,
    workflow_comparison: Comparison,
    alternative_strategies: Type.Array(
      Type.Object({
        strategy: Type.Enum(['sequential', 'parallel']),
        description: Type.String(),
        flows: Type.Array(Type.String()),
        total_cost: maybeNumber('Dollars.'),
        total_duration: maybeNumber('Seconds.'),
        quality_potential: Type.Optional(number('How much of what is wanted both cover together, 0 to 1.')),
        coordination_complexity: Type.Optional(
          Type.Enum(['low', 'medium', 'high'], {
            description: 'How many of them reach outside: none, one, both.',
          }),
        ),
      }),
      {
        description: 'Two flows that cover more together than the best one alone; empty without such a pair.',
      },
    ),
    success_predictors: Type.Array(
      Type.Object({
        predictor: Type.String(),
        influence: Type.Enum(['positive', 'negative']),
        evidence: Type.String(),
      }),
      { description: 'What speaks for and against the first recommendation succeeding.' },
    ),
    cost_breakdown: maybePart(
      {
        flow_id: Type.String(),
        total_estimated: maybeNumber('Dollars; null when unknown.'),
        source: maybeText(estimateSources),
        by_step: Type.Array(
          Type.Object({
            step_id: Type.String(),
            cost: maybeNumber('Dollars of one run of the step; null when unknown.'),
            run_share: number('How often it runs when the flow does, 0 to 1.'),
            source: maybeText(estimateSources),
          }),
        ),
        by_provider: numbersBy('Dollars by who provides the models, of the steps whose cost is known.'),
      },
      'Of the first recommendation; null without one.',
    ),
    excluded_flows: Type.Array(Type.Object({ flow_id: Type.String(), reasons: Type.Array(Type.String()) }), {
      description: 'Flows that were left out, and everything that stood against them.',
    }),
    warnings: Type.Array(WarningPart, {
      description: 'Preferred providers that no recommendation would use, with the reason.',
    }),
    recommendation_metadata: Type.Object({
      analysis_version: text('The version of these rules.'),
      model_confidence: maybeNumber('The mean confidence of the recommendations; null without any.'),
      recommendations_generated: Type.Integer(),
      analysis_duration: number('Seconds it took, measured.'),
      data_sources: texts('What it was made from.'),
      last_updated: integer('Epoch seconds: executions that ended until then are in it.'),
    }),
  },
  { description: 'The flows that suit best, and why.' },
)
