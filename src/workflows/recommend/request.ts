import { type Static, Type } from 'typebox'
import { criteria } from '#executions-api'
import { moment } from '../schemas/values.ts'

const text = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }))
const texts = (maxItems: number, description: string) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems, description }))
const score = (description: string) =>
  Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 100,
      description: `${description} 0 to 100; up to 1 counts as a share of 100.`,
    }),
  )

/** Seconds, or as people write it. */
const Span = Type.Union(
  [
    Type.Number({ minimum: 0.001, maximum: 31_536_000 }),
    Type.String({
      maxLength: 40,
      pattern: '^\\s*\\d{1,9}(\\.\\d{1,3})?\\s*(ms|s|secs?|seconds?|m|mins?|minutes?|h|hours?|d|days?)\\s*$',
      'x-means': 'must be a number and a unit, such as 90s, 5 minutes or 2 hours',
    }),
  ],
  { description: 'Seconds, or a text such as `90s`, `5 minutes` or `2 hours`.' },
)

const Memory = Type.Union(
  [
    Type.Number({ minimum: 0.001, maximum: 1_048_576 }),
    Type.String({
      maxLength: 20,
      pattern: '^\\d{1,7}(\\.\\d{1,3})?(KB|MB|GB)$',
      'x-means': 'must be a number and KB, MB or GB, such as 512MB',
    }),
  ],
  { description: 'Megabytes, or a text such as `512MB`.' },
)

const closed = { additionalProperties: false } as const

const Context = Type.Object(
  {
    content_type: text('The kind of content, such as `article` or `product description`.'),
    content_characteristics: Type.Optional(
      Type.Object(
        {
          length: Type.Optional(
            Type.Integer({ minimum: 0, maximum: 1_000_000_000, description: 'Characters of the content.' }),
          ),
          complexity: text('The complexity of the content, such as `low`, `medium` or `high`.'),
          technical_level: text('The technical level of the readers.'),
          target_audience: text('The target audience.'),
          language: text('The language, as a code or a name.'),
          domain: text('The subject of the content.'),
        },
        closed,
      ),
    ),
    current_quality_metrics: Type.Optional(
      Type.Object(
        {
          readability_score: score('The current readability.'),
          seo_score: score('The current SEO score.'),
          technical_accuracy: score('The current technical accuracy.'),
          structure_score: score('The current structure score.'),
        },
        closed,
      ),
    ),
    business_requirements: Type.Optional(
      Type.Object(
        {
          target_seo_score: score('The target of `seo_score`.'),
          required_quality_level: Type.Optional(
            Type.Enum([...criteria.qualityLevels], {
              description: 'The target level of the other metrics and of the result.',
            }),
          ),
          compliance_requirements: texts(
            20,
            'Compliance requirements that flows should declare. Flows without them rank lower.',
          ),
          publication_deadline: Type.Optional(moment('Flows that would finish later are excluded.')),
        },
        closed,
      ),
    ),
    user_context: Type.Optional(
      Type.Object(
        {
          role: text('The role of the user.'),
          experience_level: text('The experience level, such as `beginner` or `expert`.'),
          department: text('The department; flows of the same department rank higher.'),
          previous_workflows: texts(100, 'Ids of flows that the user knows; these rank higher.'),
        },
        closed,
      ),
    ),
  },
  closed,
)

const Preferences = Type.Object(
  {
    max_cost: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1_000_000, description: 'Maximum dollars per execution.' }),
    ),
    max_duration: Type.Optional(Span),
    min_confidence: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, description: 'Flows with a lower confidence are excluded.' }),
    ),
    preferred_providers: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: 10,
        description: 'Flows with models of these providers rank higher.',
      }),
    ),
    exclude_experimental: Type.Optional(
      Type.Boolean({
        description:
          'Excludes flows with the tag or category `experimental`, `beta` or `alpha`, or a version below 1.',
      }),
    ),
    prioritize: Type.Optional(
      Type.Enum([...criteria.priorityNames], {
        default: 'balanced',
        description: 'The factor with the highest weight. Default: balanced.',
      }),
    ),
    explain_recommendations: Type.Optional(
      Type.Boolean({
        description: 'Adds the factors of each score, with weight and evidence.',
      }),
    ),
  },
  closed,
)

const Constraints = Type.Object(
  {
    available_time_window: Type.Optional(Span),
    resource_limits: Type.Optional(
      Type.Object(
        {
          max_memory: Type.Optional(Memory),
          max_concurrent_flows: Type.Optional(
            Type.Integer({
              minimum: 1,
              maximum: 1000,
              description: 'With 1, no parallel strategy is suggested.',
            }),
          ),
        },
        closed,
      ),
    ),
    compliance_requirements: texts(
      20,
      'Compliance requirements that flows must declare; others are excluded.',
    ),
  },
  closed,
)

/** The request body of a recommendation. */
export const RecommendRequest = Type.Object(
  {
    context: Context,
    preferences: Type.Optional(Preferences),
    constraints: Type.Optional(Constraints),
  },
  closed,
)

export type RecommendRequest = Static<typeof RecommendRequest>
