import { Type } from 'typebox'
import { checkFlow, type Engine } from '#engine'
import { type HttpServer, offsetOf, pageQuery } from '#kernel/http'
import { managesAll, managesWorkflows, readRate, requireAccount, seesFlows } from '#runs'
import { workflowsPrefix } from '../../interface.ts'
import { DeletedFlow, FlowList, WholeFlow } from './answers.ts'
import { describeFlow, describeRun, describeWholeFlow } from './describe-flow.ts'
import { expectedRevision, tagOf } from './if-match.ts'
import { flowParams } from './params.ts'

const filter = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }))

/** As many as can be told apart at a glance. */
const mostRuns = 10

/** Flows there are. */
export function addReadRoutes(
  routes: HttpServer,
  { flows, executions }: Pick<Engine, 'flows' | 'executions'>,
): void {
  routes.get(
    `${workflowsPrefix}/flows`,
    {
      config: { access: seesFlows, ratePolicy: readRate },
      schema: {
        operationId: 'listFlows',
        summary: 'List flows',
        description:
          'The oldest first, so that new ones move nothing. `steps` is their number; `GET /flows/{id}` has the definition.',
        querystring: Type.Object(
          {
            search: filter('A piece of the id, label, description, tags or use cases, in whatever case.'),
            category: filter('Only those of this category.'),
            tag: filter('Only those with this tag.'),
            department: filter('Only those of this department.'),
            complexity_level: filter('Only those of this level.'),
            built_in: Type.Optional(
              Type.Boolean({ description: 'Only those that come with the platform, or only the others.' }),
            ),
            mine: Type.Optional(Type.Boolean({ description: 'Only those you made.' })),
            runs: Type.Optional(Type.Boolean({ description: 'Whether to tell of their newest executions.' })),
            ...pageQuery,
          },
          { additionalProperties: false },
        ),
        response: { 200: FlowList },
      },
    },
    async ({ query, principal }, reply) => {
      const { search, category, tag, department, complexity_level: complexity, built_in: builtIn } = query
      const { flows: found, total } = await flows.list({
        search,
        category,
        tag,
        department,
        complexity,
        builtIn,
        ownerId: query.mine === true ? (principal.id ?? undefined) : undefined,
        limit: query.limit,
        offset: offsetOf(query),
      })
      reply.header('cache-control', 'no-store')
      if (query.runs !== true) return reply.send({ flows: found.map(describeFlow), total })
      const latest = await executions.latestOf(
        found.map(({ flowId }) => flowId),
        { accountId: managesAll(principal) ? undefined : requireAccount(principal), count: mostRuns },
      )
      const byFlow = Map.groupBy(latest, ({ flowId }) => flowId)
      return reply.send({
        flows: found.map((flow) => ({
          ...describeFlow(flow),
          last_runs: (byFlow.get(flow.flowId) ?? []).map(describeRun),
        })),
        total,
      })
    },
  )

  routes.get(
    `${workflowsPrefix}/flows/:id`,
    {
      config: { access: seesFlows, ratePolicy: readRate },
      schema: {
        operationId: 'readFlow',
        summary: 'Read a flow',
        description:
          'Its current revision, whose number is also the `ETag`. `GET /flows/{id}/versions/{version}` has the others.',
        params: flowParams,
        response: { 200: WholeFlow },
      },
    },
    async ({ params }, reply) => {
      const flow = await flows.read(params.id)
      const { requiredInputs } = checkFlow(flow.definition)
      return reply
        .header('cache-control', 'no-store')
        .header('etag', tagOf(flow.version))
        .send(describeWholeFlow(flow, requiredInputs))
    },
  )

  routes.delete(
    `${workflowsPrefix}/flows/:id`,
    {
      config: { access: managesWorkflows },
      schema: {
        operationId: 'deleteFlow',
        summary: 'Delete a flow',
        description:
          'No new execution of it can be started; those under way go on to their end, and what ended stays readable. What its executions remember for each other is forgotten. A flow made anew under this id goes on counting its revisions. Flows that come with the platform stay (409). With `If-Match`, only while it is at that revision.',
        params: flowParams,
        response: { 200: DeletedFlow },
      },
    },
    async ({ params: { id }, headers }, reply) => {
      const open = await flows.remove(id, {
        expectedVersion: expectedRevision(headers['if-match'], undefined),
      })
      return reply
        .header('cache-control', 'no-store')
        .send({ success: true, flow_id: id, status: 'deleted', executions_under_way: open })
    },
  )
}
