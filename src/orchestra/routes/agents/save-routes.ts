import { Type } from 'typebox'
import { allSteps } from '#engine'
import { access, entityTag, expectedRevision } from '#executions-api'
import { createValueCheck, type HttpServer, invalidInput } from '#kernel/http'
import { agentStatuses } from '../../agents/definition.ts'
import { orchestraPrefix } from '../../api.ts'
import type { OrchestraOptions } from '../../route-options.ts'
import { createDescriber } from './read-routes.ts'
import {
  agentParams,
  ChangedAgentBody,
  DeletedAgent,
  NewAgentBody,
  RollBackBody,
  SavedAgent,
  ValidatedAgent,
  ValidatedAgentBody,
} from './schemas.ts'

type Options = Pick<OrchestraOptions, 'agents' | 'engine' | 'models' | 'database'>

/** The number of workflows searched for steps that name the agent. */
const maxWorkflows = 1000

/** Routes that create, change, roll back and delete agents. */
export function addSaveRoutes(routes: HttpServer, options: Options): void {
  const { agents, engine } = options
  const describe = createDescriber(options)

  routes.post(
    `${orchestraPrefix}/agents`,
    {
      config: { access: access.managesWorkflows },
      attachValidation: true,
      schema: {
        operationId: 'createAgent',
        summary: 'Create an agent',
        description:
          'An invalid definition is refused with all problems and their paths. To start from a built-in agent, read it, change it and save it under another id.',
        body: NewAgentBody,
        response: { 201: SavedAgent },
      },
    },
    async (request, reply) => {
      const { agent_definition: definition, status, note } = readFrame(newFrame, request)
      const agent = await agents.create(definition, { by: request.principal.id, status, note })
      return reply
        .code(201)
        .headers({
          location: `${orchestraPrefix}/agents/${agent.id}`,
          etag: entityTag(agent.version),
          'cache-control': 'no-store',
        })
        .send({ success: true, agent_id: agent.id, status: 'created', agent: await describe(agent) })
    },
  )

  routes.post(
    `${orchestraPrefix}/agents/validate`,
    {
      config: { access: access.managesWorkflows },
      attachValidation: true,
      schema: {
        operationId: 'validateAgent',
        summary: 'Validate an agent',
        description:
          'Runs the checks of saving; nothing is saved. The status is 200 even if the definition is invalid.',
        body: ValidatedAgentBody,
        response: { 200: ValidatedAgent },
      },
    },
    async (request, reply) => {
      const { agent_definition: definition } = readFrame(validatedFrame, request)
      const errors = await agents.check(definition)
      const { id } = definition
      const hasId = typeof id === 'string' && !errors.some(({ path }) => path === '' || path === 'id')
      return reply.header('cache-control', 'no-store').send({
        success: errors.length === 0,
        agent_id: hasId ? id : null,
        id_taken: hasId && (await agents.find(id)) !== undefined,
        validation_results: { valid: errors.length === 0, errors: [...errors] },
      })
    },
  )

  routes.put(
    `${orchestraPrefix}/agents/:id`,
    {
      config: { access: access.managesWorkflows },
      attachValidation: true,
      schema: {
        operationId: 'changeAgent',
        summary: 'Update an agent',
        description:
          'Saves a new version, sets the status, or both. Steps that name a version keep it; other steps use the new one. With `If-Match: "3"` or `expected_version`, a save in between is a conflict (409). Of a built-in agent only `status` can be set (409).',
        params: agentParams,
        body: ChangedAgentBody,
        response: { 200: SavedAgent },
      },
    },
    async (request, reply) => {
      const {
        agent_definition: definition,
        status,
        note,
        expected_version,
      } = readFrame(changedFrame, request)
      if (definition === undefined) requireStatusAlone({ status, note })
      const { agent, changed } = await agents.change(
        request.params.id,
        { definition, status },
        {
          by: request.principal.id,
          note,
          expectedVersion: expectedRevision(request.headers['if-match'], expected_version, 'version'),
        },
      )
      return reply.headers({ etag: entityTag(agent.version), 'cache-control': 'no-store' }).send({
        success: true,
        agent_id: agent.id,
        status: changed ? 'updated' : 'unchanged',
        agent: await describe(agent),
      })
    },
  )

  routes.post(
    `${orchestraPrefix}/agents/:id/rollback`,
    {
      config: { access: access.managesWorkflows },
      schema: {
        operationId: 'rollBackAgent',
        summary: 'Roll back an agent',
        description: 'Saves a new version that is the same as an old one; the history stays complete.',
        params: agentParams,
        body: RollBackBody,
        response: { 200: SavedAgent },
      },
    },
    async ({ params, body, principal, headers }, reply) => {
      const { version, note, expected_version } = body
      const { agent, changed } = await agents.rollBack(params.id, {
        version,
        note,
        by: principal.id,
        expectedVersion: expectedRevision(headers['if-match'], expected_version, 'version'),
      })
      return reply.headers({ etag: entityTag(agent.version), 'cache-control': 'no-store' }).send({
        success: true,
        agent_id: agent.id,
        status: changed ? 'rolled_back' : 'unchanged',
        agent: await describe(agent),
      })
    },
  )

  routes.delete(
    `${orchestraPrefix}/agents/:id`,
    {
      config: { access: access.managesWorkflows },
      schema: {
        operationId: 'deleteAgent',
        summary: 'Delete an agent',
        description:
          'Steps that name the agent fail from then on. To disable it for a while, set its status instead. Built-in agents cannot be deleted (409).',
        params: agentParams,
        response: { 200: DeletedAgent },
      },
    },
    async ({ params: { id }, headers }, reply) => {
      await agents.remove(id, {
        expectedVersion: expectedRevision(headers['if-match'], undefined, 'version'),
      })
      const { flows } = await engine.flows.list({ limit: maxWorkflows, offset: 0, withAgents: true })
      const users = flows.filter(({ definition }) =>
        allSteps(definition.steps).some((step) => step.type === 'agent' && step.agent === id),
      )
      return reply
        .header('cache-control', 'no-store')
        .send({ success: true, agent_id: id, status: 'deleted', used_by: users.map(({ flowId }) => flowId) })
    },
  )
}

/** Without a definition there is no new version that could keep a note. */
function requireStatusAlone({ status, note }: { readonly status?: unknown; readonly note?: unknown }): void {
  const problem =
    note !== undefined
      ? {
          path: 'note',
          message: 'has no effect without agent_definition: a note belongs to a version',
          code: 'no_effect',
        }
      : status === undefined
        ? { path: 'agent_definition', message: 'is required, unless status is given', code: 'required' }
        : undefined
  if (problem === undefined) return
  throw invalidInput([problem], 'body')
}

/** The bodies without the schema of the definition: the registry reports all problems of a definition at once. */
const frame = {
  status: Type.Optional(Type.Enum([...agentStatuses])),
  note: Type.Optional(Type.String({ maxLength: 1000 })),
}
const definition = Type.Object({}, { additionalProperties: true })
const NewFrame = Type.Object({ ...frame, agent_definition: definition }, { additionalProperties: false })
const ChangedFrame = Type.Object(
  {
    ...frame,
    agent_definition: Type.Optional(definition),
    expected_version: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false, minProperties: 1 },
)
const ValidatedFrame = Type.Object({ agent_definition: definition }, { additionalProperties: false })
const newFrame = createValueCheck(NewFrame)
const changedFrame = createValueCheck(ChangedFrame)
const validatedFrame = createValueCheck(ValidatedFrame)

function readFrame<Body>(
  check: ReturnType<typeof createValueCheck>,
  { body }: { readonly body: Body },
): Body {
  const problems = check(body ?? {})
  if (problems.length > 0) throw invalidInput(problems, 'body')
  return body
}
