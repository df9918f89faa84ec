import { type Static, Type } from 'typebox'
import { criteria } from '#executions-api'
import { AgentId } from '../agents/definition.ts'

const closed = { additionalProperties: false } as const
const text = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }))

const Context = Type.Object(
  {
    content_type: text('The content type, such as `article`, or its format, such as `html`.'),
    content_length: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000_000,
        description: 'Characters of the content. Agents with a lower limit are excluded.',
      }),
    ),
    language: text('The language, as a code or a name. Agents that do not support it are excluded.'),
    target_audience: text('The target audience.'),
    current_quality_score: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description: 'The current quality, 0 to 100; a value up to 1 is a share of 100.',
      }),
    ),
    seo_requirements: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 20,
        description: 'SEO requirements; agents that cover them rank higher.',
      }),
    ),
    deadline: Type.Optional(
      Type.String({ format: 'date-time', description: 'Agents that would finish later are excluded.' }),
    ),
  },
  closed,
)

const Requirements = Type.Object(
  {
    max_cost: Type.Optional(Type.Number({ minimum: 0, maximum: 1_000_000, description: 'Dollars per run.' })),
    max_duration: Type.Optional(
      Type.Number({ minimum: 0.0001, maximum: 31_536_000, description: 'Seconds per run.' }),
    ),
    min_confidence: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, description: 'Agents with a lower confidence are excluded.' }),
    ),
    preferred_providers: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: 10,
        description:
          'Preferred where an agent names no model. Agents that would use another provider are excluded.',
      }),
    ),
    exclude_agents: Type.Optional(Type.Array(AgentId, { maxItems: 200, description: 'Agents to exclude.' })),
    quality_level: Type.Optional(
      Type.Enum([...criteria.qualityLevels], {
        description:
          'Agents with a lower measured quality are excluded: `standard` is 50 of 100, `high` 60, `premium` 75.',
      }),
    ),
  },
  closed,
)

const Preferences = Type.Object(
  {
    prioritize: Type.Optional(
      Type.Enum([...criteria.priorityNames], {
        default: 'balanced',
        description: 'The most important aspect. Default: balanced.',
      }),
    ),
    risk_tolerance: Type.Optional(
      Type.Enum([...criteria.riskTolerances], {
        default: 'medium',
        description:
          'How the success rate of agents with few runs is estimated: its lower bound (`low`), its likeliest value (`medium`) or its upper bound (`high`). Default: medium.',
      }),
    ),
    explain_recommendations: Type.Optional(
      Type.Boolean({
        description: 'Adds the factors of each score with their weights and reasons.',
      }),
    ),
  },
  closed,
)

export const RecommendRequest = Type.Object(
  {
    context: Context,
    requirements: Type.Optional(Requirements),
    preferences: Type.Optional(Preferences),
  },
  closed,
)

export type RecommendRequest = Static<typeof RecommendRequest>
