import type { FastifyRequest } from 'fastify'
import { describeGraph, type Engine, type FlowEstimate, type SavedFlow as Saved } from '#engine'
import type { HttpServer } from '#kernel/http'
import { managesWorkflows } from '#runs'
import { workflowsPrefix } from '../../interface.ts'
import { CheckedFlowAnswer, SavedFlow } from './answers.ts'
import { ChangedFlowBody, NewFlowBody, RollBackBody } from './bodies.ts'
import {
  describeDeployment,
  describeSummary,
  describeValidation,
  flowUrl,
  nextSteps,
} from './describe-saved.ts'
import { expectedRevision, tagOf } from './if-match.ts'
import { flowParams } from './params.ts'
import { readChangedFlow, readNewFlow } from './read-body.ts'

/** Making and changing flows. */
export function addSaveRoutes(
  routes: HttpServer,
  { flows, history }: Pick<Engine, 'flows' | 'history'>,
): void {
  async function describe(
    { flow, checked }: Saved,
    status: 'created' | 'updated' | 'unchanged' | 'rolled_back',
  ) {
    const { definition, metadata } = flow
    return {
      success: true,
      flow_id: flow.flowId,
      status,
      validation_results: describeValidation(checked),
      flow_summary: summaryOf(definition, await history.estimate({ definition, metadata })),
      deployment_info: describeDeployment(flow),
      next_steps: nextSteps(flow, checked),
    }
  }

  routes.post(
    `${workflowsPrefix}/flows`,
    {
      config: { access: managesWorkflows },
      // The engine judges the flow, and finds all that is wrong with it: 422, where this schema would say 400.
      attachValidation: true,
      schema: {
        operationId: 'createFlow',
        summary: 'Create a flow',
        description:
          'The whole graph is checked: unknown and unreachable steps, circles, placeholders that nobody fills, models nobody has. What is wrong is answered with 422 and every place in `details.problems`; an id that is taken with 409.',
        body: NewFlowBody,
        response: { 201: SavedFlow },
      },
    },
    async (request, reply) => {
      const { flow_definition: definition, metadata, note } = readNewFlow(request)
      const saved = await flows.create({ definition, metadata }, { by: authorOf(request), note })
      return reply
        .code(201)
        .headers({ location: flowUrl(saved.flow.flowId), etag: tagOf(saved.flow.version) })
        .header('cache-control', 'no-store')
        .send(await describe(saved, 'created'))
    },
  )

  routes.post(
    `${workflowsPrefix}/flows/validate`,
    {
      config: { access: managesWorkflows },
      attachValidation: true,
      schema: {
        operationId: 'validateFlow',
        summary: 'Check a flow without saving it',
        description: 'The same checks as saving. The answer is 200 whatever they find.',
        body: NewFlowBody,
        response: { 200: CheckedFlowAnswer },
      },
    },
    async (request, reply) => {
      const { flow_definition: given, metadata } = readNewFlow(request)
      const checked = await flows.check({ definition: given, metadata })
      const { definition } = checked
      const id = idIn(given, checked)
      const existing = id === null ? undefined : await flows.find(id)
      return reply.header('cache-control', 'no-store').send({
        success: definition !== undefined,
        flow_id: id,
        id_taken: existing !== undefined,
        validation_results: describeValidation(checked),
        flow_summary:
          definition === undefined
            ? null
            : summaryOf(definition, await history.estimate({ definition, metadata: checked.metadata })),
      })
    },
  )

  routes.put(
    `${workflowsPrefix}/flows/:id`,
    {
      config: { access: managesWorkflows },
      attachValidation: true,
      schema: {
        operationId: 'changeFlow',
        summary: 'Save a new revision of a flow',
        description:
          'The revision before stays as it is: it can be read and run, and executions under way keep theirs. What is the same as the current revision makes no new one. With `If-Match: "3"` (or `expected_version`) nothing is saved when somebody else did so in between (409). Flows that come with the platform cannot be changed (409); save them under another id.',
        params: flowParams,
        body: ChangedFlowBody,
        response: { 200: SavedFlow },
      },
    },
    async (request, reply) => {
      const { flow_definition: definition, metadata, note, expected_version } = readChangedFlow(request)
      const saved = await flows.change(
        request.params.id,
        { definition, metadata },
        {
          by: authorOf(request),
          note,
          expectedVersion: expectedRevision(request.headers['if-match'], expected_version),
        },
      )
      return reply
        .headers({ etag: tagOf(saved.flow.version), 'cache-control': 'no-store' })
        .send(await describe(saved, saved.changed ? 'updated' : 'unchanged'))
    },
  )

  routes.post(
    `${workflowsPrefix}/flows/:id/rollback`,
    {
      config: { access: managesWorkflows },
      schema: {
        operationId: 'rollBackFlow',
        summary: 'Make an old revision current again',
        description:
          'Makes a new revision that is the same as the old one, metadata included, so that nothing of what happened is lost.',
        params: flowParams,
        body: RollBackBody,
        response: { 200: SavedFlow },
      },
    },
    async (request, reply) => {
      const { version, note, expected_version } = request.body
      const saved = await flows.rollBack(request.params.id, {
        version,
        note,
        by: authorOf(request),
        expectedVersion: expectedRevision(request.headers['if-match'], expected_version),
      })
      return reply
        .headers({ etag: tagOf(saved.flow.version), 'cache-control': 'no-store' })
        .send(await describe(saved, saved.changed ? 'rolled_back' : 'unchanged'))
    },
  )
}

function authorOf({ principal }: Pick<FastifyRequest, 'principal'>) {
  return { accountId: principal.id, username: principal.username }
}

/** The id of a flow that may be half made; null when it is none. */
function idIn(
  given: { readonly id?: unknown },
  { problems }: Pick<Saved['checked'], 'problems'>,
): string | null {
  const isWrong = problems.some(({ path }) => path === '' || path === 'id')
  return typeof given.id === 'string' && !isWrong ? given.id : null
}

/** The longest way is known by time when the time of every step is, else by the number of steps. */
function summaryOf(definition: Saved['flow']['definition'], estimate: FlowEstimate) {
  const known = new Map(estimate.steps.map(({ stepId, duration }) => [stepId, duration.value]))
  const allKnown = definition.steps.every(({ id }) => (known.get(id) ?? null) !== null)
  const shape = describeGraph(definition, allKnown ? (id) => known.get(id) ?? 0 : undefined)
  return describeSummary(definition, shape, estimate)
}
