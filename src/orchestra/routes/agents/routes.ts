import { Type } from 'typebox'
import { access, findExecution, invalidField, requireAccount, units } from '#executions-api'
import { type HttpServer, offsetOf, pageQuery } from '#kernel/http'
import type { Agent } from '../../agents/agent.ts'
import { agentStatuses, categories } from '../../agents/definition.ts'
import { type Measured, measureAgents } from '../../agents/measured.ts'
import { createRatings } from '../../agents/ratings.ts'
import { orchestraPrefix } from '../../interface.ts'
import type { OrchestraOptions } from '../../route-options.ts'
import { flag, integer, maybeNumber, maybeText, text } from '../../schemas/values.ts'
import { describeAgent } from './describe-agent.ts'
import { createModelFinder } from './known-models.ts'
import { addReadRoutes } from './read-routes.ts'
import { addSaveRoutes } from './save-routes.ts'
import { AgentList, agentParams } from './shapes.ts'

/** Agents: which there are, what they do, and what people think of them. */
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

const RatingBody = Type.Object(
  {
    rating: Type.Integer({ minimum: 1, maximum: 5, description: '1 is worst, 5 is best.' }),
    comment: Type.Optional(Type.String({ minLength: 1, maxLength: 2000 })),
    execution_id: Type.Optional(
      Type.String({ maxLength: 64, description: 'An execution of yours in which the agent worked.' }),
    ),
  },
  { additionalProperties: false },
)

const Opinion = {
  rating: integer('1 to 5.'),
  comment: maybeText('What they said about it.'),
  updated_at: integer('Epoch seconds.'),
}

const Summary = {
  agent_id: text('Names the agent.'),
  user_rating: maybeNumber('The mean; null while nobody rated it.'),
  ratings: integer('How many rated it.'),
  distribution: Type.Object({
    '1': integer('How many gave 1.'),
    '2': integer('How many gave 2.'),
    '3': integer('How many gave 3.'),
    '4': integer('How many gave 4.'),
    '5': integer('How many gave 5.'),
  }),
  mine: Type.Union([Type.Object({ ...Opinion, execution_id: maybeText('What it is about.') }), Type.Null()], {
    description: 'What you gave; null when you did not.',
  }),
  comments: Type.Array(Type.Object(Opinion), { description: 'The newest, of whomever.' }),
}

const RatingAnswer = Type.Object({
  success: flag('Always true.'),
  status: Type.Enum(['created', 'updated']),
  ...Summary,
})

/** What people think of agents. */
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
      mine: mine === undefined ? null : { ...opinionOf(mine), execution_id: mine.executionId },
      comments: comments.map(opinionOf),
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
          'One rating for each account and agent; another one takes its place. With `execution_id` it has to be an execution of yours in which the agent worked.',
        params: agentParams,
        body: RatingBody,
        response: { 200: RatingAnswer, 201: RatingAnswer },
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

  /** Of others one may see executions, but not speak for them. */
  async function requireUse(executionId: string, agentId: string, accountId: string): Promise<void> {
    const own = { id: accountId, permissions: new Set<string>() }
    const { outcomes } = await findExecution(engine, own, executionId)
    if (outcomes.some(({ details }) => details['agent'] === agentId)) return
    throw invalidField({
      path: 'execution_id',
      message: `is an execution in which "${agentId}" did not do any work`,
      code: 'reference',
      part: 'body',
    })
  }

  routes.get(
    `${orchestraPrefix}/agents/:id/rating`,
    {
      config: { access: access.seesFlows },
      schema: {
        operationId: 'readAgentRating',
        summary: 'Read what people think of an agent',
        description: 'Who said it is not told.',
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

function opinionOf({
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
