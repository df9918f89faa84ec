import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import { epochSeconds, findExecution, requireAccount, runsWorkflows, seesFlows } from '#runs'
import { createRatings } from '../../agents/ratings.ts'
import { orchestraPrefix } from '../../interface.ts'
import type { OrchestraOptions } from '../../route-options.ts'
import { flag, integer, maybeNumber, maybeText, text } from '../../schemas/values.ts'
import { agentParams } from './shapes.ts'

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
export function addRatingRoutes(
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
      config: { access: runsWorkflows },
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
    const message = `is an execution in which "${agentId}" did not do any work`
    throw kernelFailure('invalid_input', {
      message: `execution_id ${message}.`,
      problems: [{ path: 'execution_id', message, code: 'reference' }],
      details: { part: 'body' },
    })
  }

  routes.get(
    `${orchestraPrefix}/agents/:id/rating`,
    {
      config: { access: seesFlows },
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
  return { rating, comment, updated_at: epochSeconds(updatedAt) }
}
