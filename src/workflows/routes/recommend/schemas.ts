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
  score: maybeNumber('0 to 1; null when unknown, and then it does not count.'),
  weight: number('The weight against the other factors of the list.'),
  evidence: Type.String(),
})

const Reasoning = Type.Object({
  primary_factors: texts('The strongest reasons, the highest score first.'),
  context_alignment: freeForm('The fit by requested factor, 0 to 1; null when unknown.'),
  performance_indicators: Type.Object({
    sample_size: integer('Executions of the last 30 days that completed or failed.'),
    success_rate: maybeNumber('Percent; null without executions.'),
    average_quality: maybeNumber('0 to 100; null when none was measured.'),
    quality_samples: integer('Number of quality measurements.'),
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

const ExecutionEstimates = Type.Object({
  duration: maybeNumber('Seconds; null when unknown.'),
  duration_source: maybeText(estimateSources),
  cost: maybeNumber('Dollars; null when unknown.'),
  cost_source: maybeText(estimateSources),
  success_probability: maybeNumber('0 to 1: (completed + 1) / (executions + 2); null without executions.'),
  completion_confidence: maybeNumber(
    '0 to 1: the lower 95 % confidence bound of the success rate; null without executions.',
  ),
})

const Variant = Type.Object({
  variant: Type.Enum(['premium_quality', 'cheaper_model', 'without_optional_steps']),
  duration: maybeNumber('Seconds; null when unknown.'),
  cost: maybeNumber('Dollars; null when unknown.'),
  quality_tradeoff: Type.Optional(maybeNumber('Lost points of quality; null when it was not measured.')),
  quality_improvement: Type.Optional(maybeNumber('Gained points of quality; null when it was not measured.')),
  description: text('The changed option and its effect.'),
})

const Recommendation = Type.Object({
  flow_id: Type.String(),
  label: Type.String(),
  version: integer('The current version, which was scored.'),
  confidence: number(
    '0 to 1, the amount of evidence: 0.5 × n / (n + 10) for n executions, 0.3 × the share of the requested factors with a score, 0.2 × the reliability of the estimates.',
  ),
  match_score: number('0 to 1: the mean of fit, success, quality, cost and speed, weighted by `prioritize`.'),
  recommendation_strength: Type.Enum(['strong', 'moderate', 'weak']),
  reasoning: Reasoning,
  estimated_outcomes: Type.Object({
    quality_improvement: maybeNumber(
      'The average quality of its texts minus the current quality of the content, in points of 100; null when either is unknown.',
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
    primary_provider: maybeText('The provider of most steps; null without a model call.'),
    providers: texts('All providers that would be used.'),
    models: Type.Array(
      Type.Object({
        step_id: Type.String(),
        model: maybeText('The model that would be used now.'),
        provider: maybeText('The provider of the model.'),
        named: flag('Whether the flow names the model; else the default chain selects it.'),
      }),
    ),
    preferred_providers_used: Type.Array(Type.String()),
    fallback: text('The behaviour when a provider fails.'),
  }),
  risk_assessment: Type.Object({
    risk_level: Type.Enum(['low', 'medium', 'high']),
    potential_issues: Type.Array(Type.String()),
    mitigation_strategies: Type.Array(Type.String()),
  }),
  customization_options: Type.Array(Variant, {
    description: 'Other ways to run the flow, with estimates; empty without any.',
  }),
})

const ContextAnalysis = Type.Object({
  content_type: maybeText('The value in the request.'),
  domain: maybeText('The value in the request.'),
  language: maybeText('The value in the request.'),
  complexity: maybeText('The value in the request.'),
  estimated_tokens: maybeInteger('About a token for four characters of `length`; null without a length.'),
  quality_gaps: Type.Array(
    Type.Object({
      metric: Type.Enum(['readability', 'seo', 'accuracy', 'structure']),
      current: Type.Number(),
      target: Type.Number(),
      gap: Type.Number(),
    }),
    { description: 'Metrics below `target_seo_score` or the required quality level.' },
  ),
  time_available: maybeNumber(
    'Seconds by the tightest limit of duration, window and deadline; null without a limit.',
  ),
  needs: texts('The needs that flows were compared with.'),
  flows_available: integer('Number of flows.'),
  flows_considered: integer('Flows that were scored: the 60 with the best fit.'),
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
  recommendation_summary: text('The recommended flow and the reason, in a sentence or two.'),
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
        quality_potential: Type.Optional(number('The share of the needs that both cover together, 0 to 1.')),
        coordination_complexity: Type.Optional(
          Type.Enum(['low', 'medium', 'high'], {
            description: 'By the number of flows that call external APIs: none, one or both.',
          }),
        ),
      }),
      {
        description:
          'Two flows that cover more needs together than the best flow alone; empty without such a pair.',
      },
    ),
    success_predictors: Type.Array(
      Type.Object({
        predictor: Type.String(),
        influence: Type.Enum(['positive', 'negative']),
        evidence: Type.String(),
      }),
      { description: 'Factors for and against the success of the first recommendation.' },
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
            run_share: number('The share of executions in which the step runs, 0 to 1.'),
            source: maybeText(estimateSources),
          }),
        ),
        by_provider: numbersBy('Dollars by provider, of the steps with a known cost.'),
      },
      'The cost of the first recommendation; null without one.',
    ),
    excluded_flows: Type.Array(Type.Object({ flow_id: Type.String(), reasons: Type.Array(Type.String()) }), {
      description: 'Excluded flows with the reasons.',
    }),
    warnings: Type.Array(WarningPart, {
      description: 'Preferred providers that no recommendation would use, with the reason.',
    }),
    recommendation_metadata: Type.Object({
      analysis_version: text('The version of the scoring rules.'),
      model_confidence: maybeNumber('The mean confidence of the recommendations; null without any.'),
      recommendations_generated: Type.Integer(),
      analysis_duration: number('Measured seconds of the analysis.'),
      data_sources: texts('The sources of the analysis.'),
      last_updated: integer('Epoch seconds: executions that finished until then are included.'),
    }),
  },
  { description: 'The best flows with the reasons.' },
)
