import { type Static, Type } from 'typebox'
import { priorityNames, qualityLevels } from '#runs'
import { AgentId } from '../agents/definition.ts'

const closed = { additionalProperties: false } as const
const text = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }))

export const riskTolerances = ['low', 'medium', 'high'] as const

const Context = Type.Object(
  {
    content_type: text('What the content is, such as `article`, or its format, such as `html`.'),
    content_length: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1_000_000_000,
        description: 'Characters of the content. Agents that take less are left out.',
      }),
    ),
    language: text('Its language, as a code or a name. Agents that do not know it are left out.'),
    target_audience: text('Who is to read it.'),
    current_quality_score: Type.Optional(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description: 'How good it is now, 0 to 100; up to 1 counts as a share of 100.',
      }),
    ),
    seo_requirements: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
        maxItems: 20,
        description: 'What search engines are to find; agents that work on it rank higher.',
      }),
    ),
    deadline: Type.Optional(
      Type.String({ format: 'date-time', description: 'Agents that would be done later are left out.' }),
    ),
  },
  closed,
)

const Requirements = Type.Object(
  {
    max_cost: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1_000_000, description: 'Dollars for a run.' }),
    ),
    max_duration: Type.Optional(
      Type.Number({ minimum: 0.0001, maximum: 31_536_000, description: 'Seconds for a run.' }),
    ),
    min_confidence: Type.Optional(
      Type.Number({ minimum: 0, maximum: 1, description: 'Agents of which less is known are left out.' }),
    ),
    preferred_providers: Type.Optional(
      Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
        maxItems: 10,
        description:
          'Asked before others where an agent names no model. Agents that none of these would answer are left out.',
      }),
    ),
    exclude_agents: Type.Optional(
      Type.Array(AgentId, { maxItems: 200, description: 'Agents that are not wanted.' }),
    ),
    quality_level: Type.Optional(
      Type.Enum([...qualityLevels], {
        description:
          'Agents whose texts were measured below it are left out: `standard` is 50 of 100, `high` 60, `premium` 75.',
      }),
    ),
  },
  closed,
)

const Preferences = Type.Object(
  {
    prioritize: Type.Optional(
      Type.Enum([...priorityNames], {
        default: 'balanced',
        description: 'What counts most. Default: balanced.',
      }),
    ),
    risk_tolerance: Type.Optional(
      Type.Enum([...riskTolerances], {
        default: 'medium',
        description:
          'How agents are judged of which little is known: by the rate of success they reach at least (`low`), likely (`medium`) or at best (`high`). Default: medium.',
      }),
    ),
    explain_recommendations: Type.Optional(
      Type.Boolean({
        description: 'Adds what each score is made of, with its weight and the evidence for it.',
      }),
    ),
  },
  closed,
)

/** What agents are wanted for. */
export const RecommendRequest = Type.Object(
  {
    context: Context,
    requirements: Type.Optional(Requirements),
    preferences: Type.Optional(Preferences),
  },
  closed,
)

export type RecommendRequest = Static<typeof RecommendRequest>
