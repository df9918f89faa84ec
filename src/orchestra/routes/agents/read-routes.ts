import { Type } from 'typebox'
import { type HttpServer, offsetOf, pageQuery } from '#kernel/http'
import { seesFlows } from '#runs'
import type { Agent } from '../../agents/agent.ts'
import { measureAgents } from '../../agents/measured.ts'
import { createRatings } from '../../agents/ratings.ts'
import { orchestraPrefix } from '../../interface.ts'
import type { OrchestraOptions } from '../../route-options.ts'
import { describeVersion, describeWholeAgent } from './describe-agent.ts'
import { tagOf } from './if-match.ts'
import { createModelFinder } from './known-models.ts'
import { AgentVersions, agentParams, WholeAgent } from './shapes.ts'

const version = Type.Integer({
  minimum: 1,
  maximum: 2_147_483_647,
  description: 'The number of the version.',
})

type Options = Pick<OrchestraOptions, 'agents' | 'engine' | 'models' | 'database'>

/** One agent, as it is and as it was. */
export function addReadRoutes(routes: HttpServer, options: Options): void {
  const { agents } = options
  const describe = createDescriber(options)

  routes.get(
    `${orchestraPrefix}/agents/:id`,
    {
      config: { access: seesFlows },
      schema: {
        operationId: 'readAgent',
        summary: 'Read an agent',
        description: 'With its prompt, its output schema, its analysers and checks, and what was measured.',
        params: agentParams,
        querystring: Type.Object({ version: Type.Optional(version) }, { additionalProperties: false }),
        response: { 200: WholeAgent },
      },
    },
    async ({ params, query }, reply) => {
      const agent = await agents.read(params.id, query.version)
      return reply
        .headers({ etag: tagOf(agent.version), 'cache-control': 'no-store' })
        .send(await describe(agent))
    },
  )

  routes.get(
    `${orchestraPrefix}/agents/:id/versions`,
    {
      config: { access: seesFlows },
      schema: {
        operationId: 'listAgentVersions',
        summary: 'List the versions of an agent',
        description: 'The newest first. A version never changes.',
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

/** Describes an agent with the model it would ask and with what was measured. */
export function createDescriber({ engine, models, database }: Omit<Options, 'agents'>) {
  const ratings = createRatings(database)
  return async (agent: Agent) => {
    const [measuredOf, model] = await Promise.all([
      measureAgents(engine, ratings),
      createModelFinder(models)(agent),
    ])
    return describeWholeAgent(agent, { measured: measuredOf(agent.id), model })
  }
}
