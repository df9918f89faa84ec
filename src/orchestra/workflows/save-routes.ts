import type { FastifyRequest } from 'fastify'
import { checkFlow, type Engine, type SavedFlow } from '#engine'
import { Failure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import { managesWorkflows } from '#runs'
import { orchestraPrefix } from '../interface.ts'
import { DeletedWorkflow, SavedWorkflow } from './answer.ts'
import { buildDefinition, type ContentOf, freeName, idFromLabel } from './build-definition.ts'
import { describeWholeWorkflow } from './describe-workflow.ts'
import { findWorkflow } from './not-found.ts'
import { workflowId } from './read-routes.ts'
import { ChangedWorkflow, NewWorkflow, type WorkflowFields } from './request.ts'
import { inWordsOfWorkflows } from './words.ts'

export interface SaveRoutesOptions {
  readonly engine: Pick<Engine, 'flows'>
  readonly contentOf: ContentOf
}

/** So many ids are tried for a label that others have as well. */
const mostTries = 100

/** Making and changing workflows. */
export function addSaveRoutes(routes: HttpServer, { engine, contentOf }: SaveRoutesOptions): void {
  const { flows } = engine

  async function create(id: string, fields: WorkflowFields, request: FastifyRequest): Promise<SavedFlow> {
    const definition = await buildDefinition(id, fields, contentOf)
    return await inWordsOfWorkflows(engine, id, () => flows.create({ definition }, { by: authorOf(request) }))
  }

  /** Two of the same label are told apart by a number. */
  async function createByLabel(fields: WorkflowFields, request: FastifyRequest): Promise<SavedFlow> {
    const name = idFromLabel(fields.label)
    const taken = new Set<string>()
    for (;;) {
      const id = freeName(name, taken)
      try {
        return await create(id, fields, request)
      } catch (error) {
        const isTaken = error instanceof Failure && error.code === 'flow_conflict'
        if (!isTaken || taken.size === mostTries) throw error
        taken.add(id)
      }
    }
  }

  routes.post(
    `${orchestraPrefix}/workflows`,
    {
      config: { access: managesWorkflows },
      schema: {
        operationId: 'createWorkflow',
        summary: 'Make a workflow of agents',
        description:
          'The same as a flow of agent steps, which `POST /ai-workflows/api/flows` can make in finer detail. An id that is taken is answered with 409.',
        body: NewWorkflow,
        response: { 201: SavedWorkflow },
      },
    },
    async (request, reply) => {
      const { id, ...fields } = request.body
      const saved = await (id === undefined ? createByLabel(fields, request) : create(id, fields, request))
      return reply
        .code(201)
        .headers({
          location: `${orchestraPrefix}/workflows/${saved.flow.flowId}`,
          'cache-control': 'no-store',
        })
        .send(describeSaved(saved, 'created'))
    },
  )

  routes.put(
    `${orchestraPrefix}/workflows/:id`,
    {
      config: { access: managesWorkflows },
      schema: {
        operationId: 'changeWorkflow',
        summary: 'Save a new revision of a workflow',
        description:
          'The revision before stays as it is, and executions under way keep theirs. Workflows that come with the platform cannot be changed (409); save them under another id.',
        params: workflowId,
        body: ChangedWorkflow,
        response: { 200: SavedWorkflow },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const { expected_version: expectedVersion, ...fields } = request.body
      await findWorkflow(engine, id)
      const definition = await buildDefinition(id, fields, contentOf)
      const saved = await inWordsOfWorkflows(engine, id, () =>
        flows.change(id, { definition }, { by: authorOf(request), expectedVersion }),
      )
      return reply
        .header('cache-control', 'no-store')
        .send(describeSaved(saved, saved.changed ? 'updated' : 'unchanged'))
    },
  )

  routes.delete(
    `${orchestraPrefix}/workflows/:id`,
    {
      config: { access: managesWorkflows },
      schema: {
        operationId: 'deleteWorkflow',
        summary: 'Delete a workflow',
        description:
          'No new execution of it can be started; those under way go on to their end, and what ended stays readable. Workflows that come with the platform stay (409).',
        params: workflowId,
        response: { 200: DeletedWorkflow },
      },
    },
    async ({ params: { id } }, reply) => {
      const open = await inWordsOfWorkflows(engine, id, () => flows.remove(id))
      return reply
        .header('cache-control', 'no-store')
        .send({ success: true, workflow_id: id, status: 'deleted', executions_under_way: open })
    },
  )
}

function authorOf({ principal }: Pick<FastifyRequest, 'principal'>) {
  return { accountId: principal.id, username: principal.username }
}

function describeSaved({ flow }: SavedFlow, status: 'created' | 'updated' | 'unchanged') {
  const { requiredInputs } = checkFlow(flow.definition)
  return { success: true, status, workflow: describeWholeWorkflow(flow, requiredInputs) }
}
