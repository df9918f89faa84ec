import { Type } from 'typebox'
import { createValueCheck, type HttpServer, invalidInput } from '#kernel/http'
import { managesWorkflows } from '#runs'
import { agentStatuses } from '../../agents/definition.ts'
import { orchestraPrefix } from '../../interface.ts'
import type { OrchestraOptions } from '../../route-options.ts'
import { expectedVersion, tagOf } from './if-match.ts'
import { createDescriber } from './read-routes.ts'
import {
  agentParams,
  ChangedAgentBody,
  DeletedAgent,
  NewAgentBody,
  RollBackBody,
  SavedAgent,
} from './shapes.ts'

type Options = Pick<OrchestraOptions, 'agents' | 'engine' | 'models' | 'database'>

/** Most workflows that are looked through for those that name an agent. */
const mostWorkflows = 1000

/** Making agents, changing them, switching them off. */
export function addSaveRoutes(routes: HttpServer, options: Options): void {
  const { agents, engine } = options
  const describe = createDescriber(options)

  routes.post(
    `${orchestraPrefix}/agents`,
    {
      config: { access: managesWorkflows },
      attachValidation: true,
      schema: {
        operationId: 'createAgent',
        summary: 'Make an agent',
        description:
          'Everything that is wrong with the definition is told at once, with its place. Agents that come with the platform are good to begin with: read one, change it, and save it under an id of your own.',
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
          etag: tagOf(agent.version),
          'cache-control': 'no-store',
        })
        .send({ success: true, agent_id: agent.id, status: 'created', agent: await describe(agent) })
    },
  )

  routes.put(
    `${orchestraPrefix}/agents/:id`,
    {
      config: { access: managesWorkflows },
      attachValidation: true,
      schema: {
        operationId: 'changeAgent',
        summary: 'Save a new version of an agent, or switch it off and on',
        description:
          'Steps that name a version keep it; the others have the new one do their work. With `If-Match: "3"` (or `expected_version`) nothing is saved when somebody else did so in between (409). Of agents that come with the platform only `status` can be set (409).',
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
          expectedVersion: expectedVersion(request.headers['if-match'], expected_version),
        },
      )
      return reply.headers({ etag: tagOf(agent.version), 'cache-control': 'no-store' }).send({
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
      config: { access: managesWorkflows },
      schema: {
        operationId: 'rollBackAgent',
        summary: 'Make an old version current again',
        description:
          'Makes a new version that is the same as the old one, so that nothing of what happened is lost.',
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
        expectedVersion: expectedVersion(headers['if-match'], expected_version),
      })
      return reply.headers({ etag: tagOf(agent.version), 'cache-control': 'no-store' }).send({
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
      config: { access: managesWorkflows },
      schema: {
        operationId: 'deleteAgent',
        summary: 'Delete an agent',
        description:
          'Steps that name it fail from then on. To have it rest for a while, set its status instead. Agents that come with the platform stay (409).',
        params: agentParams,
        response: { 200: DeletedAgent },
      },
    },
    async ({ params: { id }, headers }, reply) => {
      await agents.remove(id, { expectedVersion: expectedVersion(headers['if-match'], undefined) })
      const { flows } = await engine.flows.list({ limit: mostWorkflows, offset: 0, withAgents: true })
      const users = flows.filter(({ definition }) =>
        definition.steps.some((step) => step.type === 'agent' && step.agent === id),
      )
      return reply
        .header('cache-control', 'no-store')
        .send({ success: true, agent_id: id, status: 'deleted', used_by: users.map(({ flowId }) => flowId) })
    },
  )
}

/** Without a definition there is no new version, and a note would be kept nowhere. */
function requireStatusAlone({ status, note }: { readonly status?: unknown; readonly note?: unknown }): void {
  const problem =
    note !== undefined
      ? {
          path: 'note',
          message: 'has no effect without agent_definition: it is kept with a version',
          code: 'no_effect',
        }
      : status === undefined
        ? { path: 'agent_definition', message: 'is required, unless status is given', code: 'required' }
        : undefined
  if (problem === undefined) return
  throw invalidInput([problem], 'body')
}

/** The bodies with the definition unread: what is wrong inside of it is told by the registry, everything at once. */
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
const newFrame = createValueCheck(NewFrame)
const changedFrame = createValueCheck(ChangedFrame)

function readFrame<Body>(
  check: ReturnType<typeof createValueCheck>,
  { body }: { readonly body: Body },
): Body {
  const problems = check(body ?? {})
  if (problems.length > 0) throw invalidInput(problems, 'body')
  return body
}
