import { Type } from 'typebox'
import { checkFlow, type Engine } from '#engine'
import { access, entityTag, expectedRevision, managesAll, readRate, requireAccount } from '#executions-api'
import { type HttpServer, offsetOf, type Principal, pageQuery } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'
import type { WorkflowsOptions } from '../../route-options.ts'
import { describeFlow, describeRun, describeVersion, describeWholeFlow } from './describe-flow.ts'
import { addExpressionRoutes } from './expression-routes.ts'
import { addFlowPeriodRoute } from './flow-period.ts'
import { createFlowStats } from './flow-stats.ts'
import { addSaveRoutes } from './save-routes.ts'
import { DeletedFlow, Diff, FlowList, flowParams, revision, VersionList, WholeFlow } from './schemas.ts'
import { addStateRoutes } from './state-routes.ts'

/** Routes of flows and their versions. */
export function addFlowRoutes(
  routes: HttpServer,
  { engine, events }: Pick<WorkflowsOptions, 'engine' | 'events'>,
): void {
  addReadRoutes(routes, engine)
  addFlowPeriodRoute(routes, engine)
  addExpressionRoutes(routes, engine)
  addSaveRoutes(routes, engine)
  addStateRoutes(routes, { engine, events })
  addVersionRoutes(routes, engine)
}

/** Lists, reads and compares versions. */
function addVersionRoutes(routes: HttpServer, { flows }: Pick<Engine, 'flows'>): void {
  routes.get(
    `${workflowsPrefix}/flows/:id/versions`,
    {
      config: { access: access.seesFlows, ratePolicy: readRate },
      schema: {
        operationId: 'listFlowVersions',
        summary: 'List the versions of a flow',
        description: 'The newest version comes first.',
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
      config: { access: access.seesFlows, ratePolicy: readRate },
      schema: {
        operationId: 'readFlowVersion',
        summary: 'Get a version of a flow',
        description: 'Versions are immutable.',
        params: Type.Object({ ...flowParams.properties, version: revision('The number of the revision.') }),
        response: { 200: WholeFlow },
      },
    },
    async ({ params: { id, version } }, reply) => {
      const flow = await flows.read(id, version)
      const { requiredInputs } = checkFlow(flow.definition)
      return reply
        .headers({ 'cache-control': 'no-store', etag: entityTag(flow.version) })
        .send(describeWholeFlow(flow, requiredInputs))
    },
  )

  routes.get(
    `${workflowsPrefix}/flows/:id/diff`,
    {
      config: { access: access.seesFlows, ratePolicy: readRate },
      schema: {
        operationId: 'diffFlowVersions',
        summary: 'Compare two versions of a flow',
        description:
          'Steps are the same when they have the same id. A changed credential is shown as `[redacted, changed]`.',
        params: flowParams,
        querystring: Type.Object(
          {
            from: Type.Optional(revision('The older version. Default: the version before `to`.')),
            to: Type.Optional(revision('The newer version. Default: the current version.')),
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

const filter = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, maxLength: 200, description }))

/** The number of recent executions of each flow in a list. */
const maxRuns = 10

/** Lists, reads and deletes flows. */
function addReadRoutes(
  routes: HttpServer,
  { flows, executions, history }: Pick<Engine, 'flows' | 'executions' | 'history'>,
): void {
  const readStats = createFlowStats({ history, executions })

  async function readRuns(ids: readonly string[], principal: Principal) {
    const latest = await executions.latestOf(ids, {
      accountId: managesAll(principal) ? undefined : requireAccount(principal),
      count: maxRuns,
    })
    const byFlow = Map.groupBy(latest, ({ flowId }) => flowId)
    return (flowId: string) => byFlow.get(flowId) ?? []
  }

  routes.get(
    `${workflowsPrefix}/flows`,
    {
      config: { access: access.seesFlows, ratePolicy: readRate },
      schema: {
        operationId: 'listFlows',
        summary: 'List flows',
        description:
          'The oldest come first, so that pages stay stable. `steps` is the number of steps; `GET /flows/{id}` returns the definition.',
        querystring: Type.Object(
          {
            search: filter('A part of the id, label, description, tags or use cases; case is ignored.'),
            category: filter('Only flows of this category.'),
            tag: filter('Only flows with this tag.'),
            department: filter('Only flows of this department.'),
            complexity_level: filter('Only flows of this level.'),
            built_in: Type.Optional(
              Type.Boolean({ description: 'Only built-in flows, or only the others.' }),
            ),
            mine: Type.Optional(Type.Boolean({ description: 'Only flows you created.' })),
            kind: Type.Optional(
              Type.Enum(['agents', 'steps'], {
                description: '`agents`: only flows with agent steps; `steps`: only the others.',
              }),
            ),
            enabled: Type.Optional(
              Type.Boolean({ description: 'Only enabled flows, or only disabled ones.' }),
            ),
            runs: Type.Optional(Type.Boolean({ description: 'Whether to include the newest executions.' })),
            stats: Type.Optional(Type.Boolean({ description: 'Whether to include `stats`.' })),
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
        withAgents: query.kind === undefined ? undefined : query.kind === 'agents',
        enabled: query.enabled,
        ownerId: query.mine === true ? (principal.id ?? undefined) : undefined,
        limit: query.limit,
        offset: offsetOf(query),
      })
      reply.header('cache-control', 'no-store')
      const ids = found.map(({ flowId }) => flowId)
      const [runsOf, statsOf] = await Promise.all([
        query.runs === true ? readRuns(ids, principal) : undefined,
        query.stats === true ? readStats(ids, principal) : undefined,
      ])
      return reply.send({
        flows: found.map((flow) => ({
          ...describeFlow(flow),
          ...(runsOf && { last_runs: runsOf(flow.flowId).map(describeRun) }),
          ...(statsOf && { stats: statsOf(flow.flowId) }),
        })),
        total,
      })
    },
  )

  routes.get(
    `${workflowsPrefix}/flows/:id`,
    {
      config: { access: access.seesFlows, ratePolicy: readRate },
      schema: {
        operationId: 'readFlow',
        summary: 'Get a flow',
        description:
          'Returns the current revision, whose number is also the `ETag`. `GET /flows/{id}/versions/{version}` returns the others.',
        params: flowParams,
        response: { 200: WholeFlow },
      },
    },
    async ({ params }, reply) => {
      const flow = await flows.read(params.id)
      const { requiredInputs } = checkFlow(flow.definition)
      return reply
        .header('cache-control', 'no-store')
        .header('etag', entityTag(flow.version))
        .send(describeWholeFlow(flow, requiredInputs))
    },
  )

  routes.delete(
    `${workflowsPrefix}/flows/:id`,
    {
      config: { access: access.managesWorkflows },
      schema: {
        operationId: 'deleteFlow',
        summary: 'Delete a flow',
        description:
          'No new execution can be started. Running executions continue, and finished ones stay readable. The memory of the flow is deleted. Built-in flows cannot be deleted (409). With `If-Match`, the flow must be at that revision.',
        params: flowParams,
        response: { 200: DeletedFlow },
      },
    },
    async ({ params: { id }, headers }, reply) => {
      const open = await flows.remove(id, {
        expectedVersion: expectedRevision(headers['if-match'], undefined, 'revision'),
      })
      return reply
        .header('cache-control', 'no-store')
        .send({ success: true, flow_id: id, status: 'deleted', executions_under_way: open })
    },
  )
}
