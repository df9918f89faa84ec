import { Type } from 'typebox'
import { access, findExecution, invalidField, requireAccount, units } from '#executions-api'
import { type HttpServer, offsetOf, pageQuery } from '#kernel/http'
import type { Agent } from '../../agents/agent.ts'
import { type AgentStats, readAgentStats } from '../../agents/agent-stats.ts'
import { agentStatuses, categories } from '../../agents/definition.ts'
import { createRatings } from '../../agents/ratings.ts'
import { orchestraPrefix } from '../../api.ts'
import type { OrchestraOptions } from '../../route-options.ts'
import { flag, integer, maybeNumber, maybeText, text } from '../../schemas/values.ts'
import { createModelFinder, describeAgent } from './describe-agent.ts'
import { addReadRoutes } from './read-routes.ts'
import { addSaveRoutes } from './save-routes.ts'
import { AgentList, agentParams } from './schemas.ts'

/** Routes that list, read, save and rate agents. */
export function addAgentRoutes(
  routes: HttpServer,
  options: Pick<OrchestraOptions, 'agents' | 'engine' | 'models' | 'database'>,
): void {
  addListRoute(routes, options)
  addReadRoutes(routes, options)
  addSaveRoutes(routes, options)
  addRatingRoutes(routes, options)
}

const sorts = ['name', 'success_rate', 'cost', 'usage'] as const
type Sort = (typeof sorts)[number]

const query = Type.Object(
  {
    category: Type.Optional(Type.Enum([...categories])),
    status: Type.Optional(Type.Enum([...agentStatuses])),
    include_metrics: Type.Boolean({
      default: false,
      description: 'Whether to include `performance_metrics`.',
    }),
    sort: Type.Enum([...sorts], {
      default: 'name',
      description:
        '`success_rate` and `usage`: the highest first; `cost`: the lowest average first. Agents without data come last.',
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

function addListRoute(
  routes: HttpServer,
  { agents, engine, models, database }: Pick<OrchestraOptions, 'agents' | 'engine' | 'models' | 'database'>,
): void {
  const ratings = createRatings(database)
  routes.get(
    `${orchestraPrefix}/agents`,
    {
      config: { access: access.seesFlows },
      schema: {
        operationId: 'listAgents',
        summary: 'List agents',
        description: 'Lists built-in agents and agents created by users.',
        querystring: query,
        response: { 200: AgentList },
      },
    },
    async ({ query: given }, reply) => {
      const { category, status, include_metrics, sort, limit, page } = given
      const all = await agents.list({ status })
      const wanted =
        category === undefined ? all : all.filter(({ definition }) => definition.category === category)
      const needsStats = include_metrics || sort !== 'name'
      const statsOf = needsStats ? await readAgentStats(engine, ratings) : undefined
      const sorted = statsOf === undefined ? wanted : inOrder(wanted, sort, statsOf)
      const shown = sorted.slice(offsetOf(given), offsetOf(given) + limit)
      const modelOf = createModelFinder(models)
      return await reply.header('cache-control', 'no-store').send({
        agents: await Promise.all(
          shown.map(async (agent) =>
            describeAgent(agent, {
              stats: include_metrics ? (statsOf?.(agent.id) ?? null) : null,
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

const sortKeys: Readonly<Record<Exclude<Sort, 'name'>, (stats: AgentStats) => number | null>> = {
  success_rate: ({ success_rate: rate }) => (rate === null ? null : -rate),
  cost: ({ average_cost: cost }) => cost,
  usage: ({ executions_24h: runs }) => -runs,
}

/** The list comes sorted by name; agents with equal values keep that order. */
function inOrder(
  agents: readonly Agent[],
  sort: Sort,
  statsOf: (id: string) => AgentStats,
): readonly Agent[] {
  if (sort === 'name') return agents
  const keyOf = ({ id }: Agent) => sortKeys[sort](statsOf(id)) ?? Number.POSITIVE_INFINITY
  return agents.toSorted((one, other) => {
    const [left, right] = [keyOf(one), keyOf(other)]
    return left === right ? 0 : left - right
  })
}

const RatingBody = Type.Object(
  {
    rating: Type.Integer({ minimum: 1, maximum: 5, description: '1 is the worst, 5 the best.' }),
    comment: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
    execution_id: Type.Optional(
      Type.String({ maxLength: 64, description: 'One of your executions in which the agent ran.' }),
    ),
  },
  { additionalProperties: false },
)

const RatingFields = {
  rating: integer('1 to 5.'),
  comment: maybeText('The comment.'),
  updated_at: integer('Epoch seconds.'),
}

const Summary = {
  agent_id: text('The id of the agent.'),
  user_rating: maybeNumber('The mean; null without ratings.'),
  ratings: integer('Number of ratings.'),
  distribution: Type.Object({
    '1': integer('Number of ratings with 1.'),
    '2': integer('Number of ratings with 2.'),
    '3': integer('Number of ratings with 3.'),
    '4': integer('Number of ratings with 4.'),
    '5': integer('Number of ratings with 5.'),
  }),
  mine: Type.Union(
    [Type.Object({ ...RatingFields, execution_id: maybeText('The execution it is about.') }), Type.Null()],
    {
      description: 'Your rating; null without one.',
    },
  ),
  comments: Type.Array(Type.Object(RatingFields), { description: 'The newest comments of all accounts.' }),
}

const RatedAgent = Type.Object({
  success: flag('Always true.'),
  status: Type.Enum(['created', 'updated']),
  ...Summary,
})

function addRatingRoutes(
  routes: HttpServer,
  { agents, engine, database }: Pick<OrchestraOptions, 'agents' | 'engine' | 'database'>,
): void {
  const ratings = createRatings(database)

  async function describe(agentId: string, accountId: string | null) {
    const { average, count, counts, mine, comments } = await ratings.summary(agentId, accountId)
    const [one = 0, two = 0, three = 0, four = 0, five = 0] = counts
    return {
      agent_id: agentId,
      user_rating: average,
      ratings: count,
      distribution: { '1': one, '2': two, '3': three, '4': four, '5': five },
      mine: mine === undefined ? null : { ...describeRating(mine), execution_id: mine.executionId },
      comments: comments.map(describeRating),
    }
  }

  routes.post(
    `${orchestraPrefix}/agents/:id/rating`,
    {
      config: { access: access.runsWorkflows },
      schema: {
        operationId: 'rateAgent',
        summary: 'Rate an agent',
        description:
          'Each account has one rating per agent; a new one replaces it. `execution_id` must be one of your executions in which the agent ran.',
        params: agentParams,
        body: RatingBody,
        response: { 200: RatedAgent, 201: RatedAgent },
      },
    },
    async ({ params: { id }, body, principal }, reply) => {
      const accountId = requireAccount(principal)
      await agents.read(id)
      const { rating, comment = null, execution_id: executionId = null } = body
      if (executionId !== null) await requireUse(executionId, id, accountId)
      const isNew = await ratings.rate({ agentId: id, accountId, rating, comment, executionId })
      return reply
        .code(isNew ? 201 : 200)
        .header('cache-control', 'no-store')
        .send({ success: true, status: isNew ? 'created' : 'updated', ...(await describe(id, accountId)) })
    },
  )

  /** Only the own executions count, even for accounts that may see all. */
  async function requireUse(executionId: string, agentId: string, accountId: string): Promise<void> {
    const own = { id: accountId, permissions: new Set<string>() }
    const { outcomes } = await findExecution(engine, own, executionId)
    if (outcomes.some(({ details }) => details['agent'] === agentId)) return
    throw invalidField({
      path: 'execution_id',
      message: `is an execution in which "${agentId}" did not run`,
      code: 'reference',
    })
  }

  routes.get(
    `${orchestraPrefix}/agents/:id/rating`,
    {
      config: { access: access.seesFlows },
      schema: {
        operationId: 'readAgentRating',
        summary: 'Get the rating of an agent',
        description: 'Comments are anonymous.',
        params: agentParams,
        response: { 200: Type.Object(Summary) },
      },
    },
    async ({ params: { id }, principal }, reply) => {
      await agents.read(id)
      return reply.header('cache-control', 'no-store').send(await describe(id, principal.id))
    },
  )
}

function describeRating({
  rating,
  comment,
  updatedAt,
}: {
  readonly rating: number
  readonly comment: string | null
  readonly updatedAt: Date
}) {
  return { rating, comment, updated_at: units.epochSeconds(updatedAt) }
}
