import { Type } from 'typebox'
import { checkFlow, type Engine } from '#engine'
import { type HttpServer, offsetOf, pageQuery } from '#kernel/http'
import { seesFlows } from '#runs'
import { orchestraPrefix } from '../interface.ts'
import { WholeWorkflow, WorkflowList } from './answer.ts'
import { describeWholeWorkflow, describeWorkflow } from './describe-workflow.ts'
import { findWorkflow } from './not-found.ts'

export const workflowId = Type.Object({
  id: Type.String({ minLength: 1, maxLength: 200, description: 'The id of the workflow.' }),
})

/** Workflows there are. */
export function addReadRoutes(
  routes: HttpServer,
  { engine }: { readonly engine: Pick<Engine, 'flows'> },
): void {
  routes.get(
    `${orchestraPrefix}/workflows`,
    {
      config: { access: seesFlows },
      schema: {
        operationId: 'listWorkflows',
        summary: 'List workflows',
        description: 'Flows in which agents work, the oldest first, so that new ones move nothing.',
        querystring: Type.Object(
          {
            search: Type.Optional(
              Type.String({
                minLength: 1,
                maxLength: 200,
                description: 'A piece of the id, label, description, tags or use cases, in whatever case.',
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
      config: { access: seesFlows },
      schema: {
        operationId: 'readWorkflow',
        summary: 'Read a workflow',
        description: 'With its steps. Whatever `POST /execute-workflow` can run can be read here.',
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
