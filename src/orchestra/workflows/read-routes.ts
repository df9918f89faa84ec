import { Type } from 'typebox'
import { checkFlow, type Engine } from '#engine'
import { access } from '#executions-api'
import { type HttpServer, offsetOf, pageQuery } from '#kernel/http'
import { orchestraPrefix } from '../api.ts'
import { describeWholeWorkflow, describeWorkflow } from './describe-workflow.ts'
import { findWorkflow } from './find-workflow.ts'
import { WholeWorkflow, WorkflowList } from './schemas.ts'

export const workflowId = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200, description: 'The id of the workflow.' }),
})

/** Lists and reads workflows. */
export function addReadRoutes(
  routes: HttpServer,
  { engine }: { readonly engine: Pick<Engine, 'flows'> },
): void {
  routes.get(
    `${orchestraPrefix}/workflows`,
    {
      config: { access: access.seesFlows },
      schema: {
        operationId: 'listWorkflows',
        summary: 'List workflows',
        description:
          'Lists flows with agent steps, the oldest first, so that pages stay stable when workflows are added.',
        querystring: Type.Object(
          {
            search: Type.Optional(
              Type.String({
                minLength: 1,
                maxLength: 200,
                description: 'Searches id, label, description, tags and use cases, case-insensitive.',
              }),
            ),
            ...pageQuery,
          },
          { additionalProperties: false },
        ),
        response: { 200: WorkflowList },
      },
    },
    async ({ query }, reply) => {
      const { search, limit } = query
      const { flows, total } = await engine.flows.list({
        withAgents: true,
        search,
        limit,
        offset: offsetOf(query),
      })
      return reply.header('cache-control', 'no-store').send({ workflows: flows.map(describeWorkflow), total })
    },
  )

  routes.get(
    `${orchestraPrefix}/workflows/:id`,
    {
      config: { access: access.seesFlows },
      schema: {
        operationId: 'readWorkflow',
        summary: 'Get a workflow',
        description: 'Returns the workflow with its steps.',
        params: workflowId,
        response: { 200: WholeWorkflow },
      },
    },
    async ({ params }, reply) => {
      const flow = await findWorkflow(engine, params.id)
      const { requiredInputs } = checkFlow(flow.definition)
      return reply.header('cache-control', 'no-store').send(describeWholeWorkflow(flow, requiredInputs))
    },
  )
}
