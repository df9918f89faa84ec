import { Type } from 'typebox'
import { access, entityTag } from '#executions-api'
import { type HttpServer, offsetOf, pageQuery } from '#kernel/http'
import type { Agent } from '../../agents/agent.ts'
import { readAgentStats } from '../../agents/agent-stats.ts'
import { createRatings } from '../../agents/ratings.ts'
import { orchestraPrefix } from '../../api.ts'
import type { OrchestraOptions } from '../../route-options.ts'
import { createModelFinder, describeVersion, describeWholeAgent } from './describe-agent.ts'
import { AgentVersions, agentParams, WholeAgent } from './schemas.ts'

const version = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'The number of the version.',
})

type Options = Pick<OrchestraOptions, 'agents' | 'engine' | 'models' | 'database'>

/** Routes that read one agent and its versions. */
export function addReadRoutes(routes: HttpServer, options: Options): void {
  const { agents } = options
  const describe = createDescriber(options)

  routes.get(
    `${orchestraPrefix}/agents/:id`,
    {
      config: { access: access.seesFlows },
      schema: {
        operationId: 'readAgent',
        summary: 'Get an agent',
        description:
          'Includes the prompt, the output schema, the analysers, the checks and the performance metrics.',
        params: agentParams,
        querystring: Type.Object({ version: Type.Optional(version) }, { additionalProperties: false }),
        response: { 200: WholeAgent },
      },
    },
    async ({ params, query }, reply) => {
      const agent = await agents.read(params.id, query.version)
      return reply
        .headers({ etag: entityTag(agent.version), 'cache-control': 'no-store' })
        .send(await describe(agent))
    },
  )

  routes.get(
    `${orchestraPrefix}/agents/:id/versions`,
    {
      config: { access: access.seesFlows },
      schema: {
        operationId: 'listAgentVersions',
        summary: 'List the versions of an agent',
        description: 'The newest version comes first. Versions are immutable.',
        params: agentParams,
        querystring: Type.Object(pageQuery, { additionalProperties: false }),
        response: { 200: AgentVersions },
      },
    },
    async ({ params: { id }, query }, reply) => {
      const { currentVersion } = await agents.read(id)
      const versions = await agents.versions(id, { limit: query.limit, offset: offsetOf(query) })
      return reply
        .header('cache-control', 'no-store')
        .send({ agent_id: id, versions: versions.map(describeVersion), total: currentVersion })
    },
  )
}

/** Describes an agent with the model it would call and its statistics. */
export function createDescriber({ engine, models, database }: Omit<Options, 'agents'>) {
  const ratings = createRatings(database)
  return async (agent: Agent) => {
    const [statsOf, model] = await Promise.all([
      readAgentStats(engine, ratings),
      createModelFinder(models)(agent),
    ])
    return describeWholeAgent(agent, { stats: statsOf(agent.id), model })
  }
}
