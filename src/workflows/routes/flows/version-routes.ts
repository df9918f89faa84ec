import { Type } from 'typebox'
import { checkFlow, type Engine } from '#engine'
import { type HttpServer, offsetOf, pageQuery } from '#kernel/http'
import { readRate, seesFlows } from '#runs'
import { workflowsPrefix } from '../../interface.ts'
import { Diff, VersionList, WholeFlow } from './answers.ts'
import { describeVersion, describeWholeFlow } from './describe-flow.ts'
import { tagOf } from './if-match.ts'
import { flowParams, revision } from './params.ts'

/** Every version anybody ever saved. */
export function addVersionRoutes(routes: HttpServer, { flows }: Pick<Engine, 'flows'>): void {
  routes.get(
    `${workflowsPrefix}/flows/:id/versions`,
    {
      config: { access: seesFlows, ratePolicy: readRate },
      schema: {
        operationId: 'listFlowVersions',
        summary: 'List the versions of a flow',
        description: 'The newest first.',
        params: flowParams,
        querystring: Type.Object(pageQuery, { additionalProperties: false }),
        response: { 200: VersionList },
      },
    },
    async ({ params: { id }, query }, reply) => {
      const { versions, total } = await flows.versions(id, { limit: query.limit, offset: offsetOf(query) })
      return reply
        .header('cache-control', 'no-store')
        .send({ flow_id: id, versions: versions.map(describeVersion), total })
    },
  )

  routes.get(
    `${workflowsPrefix}/flows/:id/versions/:version`,
    {
      config: { access: seesFlows, ratePolicy: readRate },
      schema: {
        operationId: 'readFlowVersion',
        summary: 'Read a version of a flow',
        description: 'It never changes.',
        params: Type.Object({ ...flowParams.properties, version: revision('The number of the revision.') }),
        response: { 200: WholeFlow },
      },
    },
    async ({ params: { id, version } }, reply) => {
      const flow = await flows.read(id, version)
      const { requiredInputs } = checkFlow(flow.definition)
      return reply
        .headers({ 'cache-control': 'no-store', etag: tagOf(flow.version) })
        .send(describeWholeFlow(flow, requiredInputs))
    },
  )

  routes.get(
    `${workflowsPrefix}/flows/:id/diff`,
    {
      config: { access: seesFlows, ratePolicy: readRate },
      schema: {
        operationId: 'diffFlowVersions',
        summary: 'Compare two versions of a flow',
        description:
          'Steps are the same when they have the same id. A credential that is different is told as `[redacted, changed]`.',
        params: flowParams,
        querystring: Type.Object(
          {
            from: Type.Optional(revision('The older one. Default: the one before `to`.')),
            to: Type.Optional(revision('The newer one. Default: the current one.')),
          },
          { additionalProperties: false },
        ),
        response: { 200: Diff },
      },
    },
    async ({ params: { id }, query }, reply) => {
      const { from, to, diff } = await flows.compare(id, query)
      return reply.header('cache-control', 'no-store').send({ flow_id: id, from, to, ...diff })
    },
  )
}
