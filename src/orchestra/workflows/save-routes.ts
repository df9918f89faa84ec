import type { FastifyRequest } from 'fastify'
import { checkFlow, type Engine } from '#engine'
import { access, authorOf } from '#executions-api'
import { Failure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import { orchestraPrefix } from '../api.ts'
import { buildDefinition, type ContentOf, freeName, idFromLabel } from './build-definition.ts'
import { describeWholeWorkflow } from './describe-workflow.ts'
import { asWorkflowFailures, findWorkflow } from './find-workflow.ts'
import { workflowId } from './read-routes.ts'
import {
  ChangedWorkflow,
  DeletedWorkflow,
  NewWorkflow,
  SavedWorkflow,
  type WorkflowFields,
} from './schemas.ts'

type SavedFlow = Awaited<ReturnType<Engine['flows']['create']>>

export interface SaveRoutesOptions {
  readonly engine: Pick<Engine, 'flows'>
  readonly contentOf: ContentOf
}

/** The number of ids that are tried for a label that is in use. */
const maxIdAttempts = 100

/** Creates, changes and deletes workflows. */
export function addSaveRoutes(routes: HttpServer, { engine, contentOf }: SaveRoutesOptions): void {
  const { flows } = engine

  async function create(id: string, fields: WorkflowFields, request: FastifyRequest): Promise<SavedFlow> {
    const definition = await buildDefinition(id, fields, contentOf)
    return await asWorkflowFailures(engine, id, () => flows.create({ definition }, { by: authorOf(request) }))
  }

  /** Workflows with the same label get a number in their id. */
  async function createByLabel(fields: WorkflowFields, request: FastifyRequest): Promise<SavedFlow> {
    const name = idFromLabel(fields.label)
    const taken = new Set<string>()
    for (;;) {
      const id = freeName(name, taken)
      try {
        return await create(id, fields, request)
      } catch (error) {
        const isTaken = error instanceof Failure && error.code === 'flow_conflict'
        if (!isTaken || taken.size === maxIdAttempts) throw error
        taken.add(id)
      }
    }
  }

  routes.post(
    `${orchestraPrefix}/workflows`,
    {
      config: { access: access.managesWorkflows },
      schema: {
        operationId: 'createWorkflow',
        summary: 'Create a workflow',
        description:
          'Creates a flow of agent steps. For other step types use `POST /ai-workflows/api/flows`. An id that is in use is refused (409).',
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
      config: { access: access.managesWorkflows },
      schema: {
        operationId: 'changeWorkflow',
        summary: 'Update a workflow',
        description:
          'Saves a new revision; running executions keep theirs. Built-in workflows cannot be changed (409); save them under another id.',
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
      const saved = await asWorkflowFailures(engine, id, () =>
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
      config: { access: access.managesWorkflows },
      schema: {
        operationId: 'deleteWorkflow',
        summary: 'Delete a workflow',
        description:
          'No new execution can be started. Running executions continue, and finished ones stay readable. Built-in workflows cannot be deleted (409).',
        params: workflowId,
        response: { 200: DeletedWorkflow },
      },
    },
    async ({ params: { id } }, reply) => {
      const open = await asWorkflowFailures(engine, id, () => flows.remove(id))
      return reply
        .header('cache-control', 'no-store')
        .send({ success: true, workflow_id: id, status: 'deleted', executions_under_way: open })
    },
  )
}

function describeSaved({ flow }: SavedFlow, status: 'created' | 'updated' | 'unchanged') {
  const { requiredInputs } = checkFlow(flow.definition)
  return { success: true, status, workflow: describeWholeWorkflow(flow, requiredInputs) }
}
