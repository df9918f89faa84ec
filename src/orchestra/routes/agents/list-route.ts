import { Type } from 'typebox'
import { type HttpServer, offsetOf, pageQuery } from '#kernel/http'
import { seesFlows } from '#runs'
import type { Agent } from '../../agents/agent.ts'
import { agentStatuses, categories } from '../../agents/definition.ts'
import { type Measured, measureAgents } from '../../agents/measured.ts'
import { createRatings } from '../../agents/ratings.ts'
import { orchestraPrefix } from '../../interface.ts'
import type { OrchestraOptions } from '../../route-options.ts'
import { describeAgent } from './describe-agent.ts'
import { createModelFinder } from './known-models.ts'
import { AgentList } from './shapes.ts'

const sorts = ['name', 'success_rate', 'cost', 'usage'] as const
type Sort = (typeof sorts)[number]

const query = Type.Object(
  {
    category: Type.Optional(Type.Enum([...categories])),
    status: Type.Optional(Type.Enum([...agentStatuses])),
    include_metrics: Type.Boolean({ default: false, description: 'Whether to tell what was measured.' }),
    sort: Type.Enum([...sorts], {
      default: 'name',
      description:
        '`success_rate` and `usage`: the highest first; `cost`: the lowest average first. Those of which nothing is known come last.',
    }),
    ...pageQuery,
  },
  { additionalProperties: false },
)

const labels = {
  content: 'Content',
  seo: 'Search engines',
  validation: 'Validation',
  transformation: 'Transformation',
  analysis: 'Analysis',
} as const

/** Which agents there are. */
export function addListRoute(
  routes: HttpServer,
  { agents, engine, models, database }: Pick<OrchestraOptions, 'agents' | 'engine' | 'models' | 'database'>,
): void {
  const ratings = createRatings(database)
  routes.get(
    `${orchestraPrefix}/agents`,
    {
      config: { access: seesFlows },
      schema: {
        operationId: 'listAgents',
        summary: 'List agents',
        description: 'Those that come with the platform and those that were made here.',
        querystring: query,
        response: { 200: AgentList },
      },
    },
    async ({ query: asked }, reply) => {
      const { category, status, include_metrics, sort, limit, page } = asked
      const all = await agents.list({ status })
      const wanted =
        category === undefined ? all : all.filter(({ definition }) => definition.category === category)
      const isMeasured = include_metrics || sort !== 'name'
      const measuredOf = isMeasured ? await measureAgents(engine, ratings) : undefined
      const sorted = measuredOf === undefined ? wanted : inOrder(wanted, sort, measuredOf)
      const shown = sorted.slice(offsetOf(asked), offsetOf(asked) + limit)
      const modelOf = createModelFinder(models)
      return await reply.header('cache-control', 'no-store').send({
        agents: await Promise.all(
          shown.map(async (agent) =>
            describeAgent(agent, {
              measured: include_metrics ? (measuredOf?.(agent.id) ?? null) : null,
              model: await modelOf(agent),
            }),
          ),
        ),
        total: wanted.length,
        categories: categories.map((id) => ({
          id,
          label: labels[id],
          count: all.filter(({ definition }) => definition.category === id).length,
        })),
        filters_applied: { category: category ?? null, status: status ?? null, include_metrics, sort },
        pagination: { page, per_page: limit, total_pages: Math.ceil(wanted.length / limit) },
      })
    },
  )
}

const keys: Readonly<Record<Exclude<Sort, 'name'>, (measured: Measured) => number | null>> = {
  success_rate: ({ success_rate: rate }) => (rate === null ? null : -rate),
  cost: ({ average_cost: cost }) => cost,
  usage: ({ executions_24h: runs }) => -runs,
}

/** They come by name, and stay so among those that are equal. */
function inOrder(
  agents: readonly Agent[],
  sort: Sort,
  measuredOf: (id: string) => Measured,
): readonly Agent[] {
  if (sort === 'name') return agents
  const keyOf = ({ id }: Agent) => keys[sort](measuredOf(id)) ?? Number.POSITIVE_INFINITY
  return agents.toSorted((one, other) => {
    const [left, right] = [keyOf(one), keyOf(other)]
    return left === right ? 0 : left - right
  })
}
