import { describeGraph, type Engine, type Flow, type HistoryResult } from '#engine'
import { access, authorOf, entityTag, expectedRevision, units } from '#executions-api'
import type { HttpServer } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'
import { versionName } from './describe-flow.ts'
import { ChangedFlowBody, NewFlowBody, RollBackBody, readChangedFlow, readNewFlow } from './requests.ts'
import { flowParams, SavedFlow, ValidatedFlow } from './schemas.ts'

type CheckedWhole = Saved['checked']
type FlowShape = ReturnType<typeof describeGraph>
type Saved = Awaited<ReturnType<Engine['flows']['create']>>

/** Creates, validates, changes and rolls back flows. */
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
      config: { access: access.managesWorkflows },
      // The engine validates the flow and reports all problems with 422, where this schema would respond with 400.
      attachValidation: true,
      schema: {
        operationId: 'createFlow',
        summary: 'Create a flow',
        description:
          'Validates the whole graph: unknown and unreachable steps, cycles, unknown placeholders and models. An invalid flow is refused with 422 and all problems in `details.problems`; an id that is in use with 409.',
        body: NewFlowBody,
        response: { 201: SavedFlow },
      },
    },
    async (request, reply) => {
      const { flow_definition: definition, metadata, note } = readNewFlow(request)
      const saved = await flows.create({ definition, metadata }, { by: authorOf(request), note })
      return reply
        .code(201)
        .headers({ location: flowUrl(saved.flow.flowId), etag: entityTag(saved.flow.version) })
        .header('cache-control', 'no-store')
        .send(await describe(saved, 'created'))
    },
  )

  routes.post(
    `${workflowsPrefix}/flows/validate`,
    {
      config: { access: access.managesWorkflows },
      attachValidation: true,
      schema: {
        operationId: 'validateFlow',
        summary: 'Validate a flow',
        description: 'Runs the checks of saving. The status is 200 even if the flow is invalid.',
        body: NewFlowBody,
        response: { 200: ValidatedFlow },
      },
    },
    async (request, reply) => {
      const { flow_definition: given, metadata } = readNewFlow(request)
      const checked = await flows.check({ definition: given, metadata }, authorOf(request))
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
      config: { access: access.managesWorkflows },
      attachValidation: true,
      schema: {
        operationId: 'changeFlow',
        summary: 'Update a flow',
        description:
          'Saves a new revision; earlier ones can still be read and run, and running executions keep theirs. An unchanged flow makes no new revision. With `If-Match: "3"` or `expected_version`, a save in between is a conflict (409). Built-in flows cannot be changed (409); save them under another id.',
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
          expectedVersion: expectedRevision(request.headers['if-match'], expected_version, 'revision'),
        },
      )
      return reply
        .headers({ etag: entityTag(saved.flow.version), 'cache-control': 'no-store' })
        .send(await describe(saved, saved.changed ? 'updated' : 'unchanged'))
    },
  )

  routes.post(
    `${workflowsPrefix}/flows/:id/rollback`,
    {
      config: { access: access.managesWorkflows },
      schema: {
        operationId: 'rollBackFlow',
        summary: 'Roll back a flow',
        description:
          'Saves a new revision that is the same as an old one, including metadata; the history stays complete.',
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
        expectedVersion: expectedRevision(request.headers['if-match'], expected_version, 'revision'),
      })
      return reply
        .headers({ etag: entityTag(saved.flow.version), 'cache-control': 'no-store' })
        .send(await describe(saved, saved.changed ? 'rolled_back' : 'unchanged'))
    },
  )
}

/** The id of a possibly incomplete flow; null when it has no valid id. */
function idIn(
  given: { readonly id?: unknown },
  { problems }: Pick<Saved['checked'], 'problems'>,
): string | null {
  const isWrong = problems.some(({ path }) => path === '' || path === 'id')
  return typeof given.id === 'string' && !isWrong ? given.id : null
}

/** The critical path is computed by duration when every duration is known, else by the number of steps. */
function summaryOf(definition: Saved['flow']['definition'], estimate: HistoryResult<'estimate'>) {
  const known = new Map(estimate.steps.map(({ stepId, duration }) => [stepId, duration.value]))
  const allKnown = definition.steps.every(({ id }) => (known.get(id) ?? null) !== null)
  const shape = describeGraph(definition, allKnown ? (id) => known.get(id) ?? 0 : undefined)
  return describeSummary(definition, shape, estimate)
}

/** The validation result of a flow. */
function describeValidation({ definition, problems, warnings, requiredInputs }: CheckedWhole) {
  return {
    valid: definition !== undefined,
    errors: [...problems],
    warnings: [...warnings],
    required_inputs: [...requiredInputs],
  }
}

/** The structure of a flow with its estimated cost and duration. */
function describeSummary(
  { id, label }: Pick<Flow['definition'], 'id' | 'label'>,
  shape: FlowShape,
  { cost, duration }: Pick<HistoryResult<'estimate'>, 'cost' | 'duration'>,
) {
  return {
    flow_id: id,
    label,
    total_steps: shape.totalSteps,
    steps_by_type: { ...shape.stepsByType },
    dependencies: shape.dependencies,
    parallel_groups: shape.groups.map((group) => [...group]),
    critical_path: [...shape.criticalPath],
    steps_on_demand: [...shape.onDemand],
    models: [...shape.models],
    external_hosts: [...shape.hosts],
    memory_keys: [...shape.memoryKeys],
    estimated_cost: units.dollars(cost.value),
    estimated_duration: units.seconds(duration.value),
    estimated_from: {
      cost: { source: cost.source, sample: cost.sample, confidence: cost.confidence },
      duration: { source: duration.source, sample: duration.sample, confidence: duration.confidence },
    },
  }
}

/** The endpoints of a saved flow. */
function describeDeployment(flow: Flow) {
  return {
    version: versionName(flow),
    revision: flow.version,
    endpoint: `${workflowsPrefix}/execute-flow`,
    flow_url: flowUrl(flow.flowId),
    approval_status:
      flow.metadata.approval_required === true ? ('approval_required' as const) : ('auto_approved' as const),
    created_at: units.epochSeconds(flow.createdAt),
  }
}

/** Recommended next steps, in order. */
function nextSteps(flow: Flow, { warnings, requiredInputs }: CheckedWhole): string[] {
  const asynchronous = `${workflowsPrefix}/execute-flow-async`
  return [
    ...(warnings.length === 0
      ? []
      : [`Look at the ${warnings.length === 1 ? 'warning' : `${warnings.length} warnings`} above.`]),
    ...(requiredInputs.length === 0
      ? []
      : [`Give every execution these fields in its context: ${requiredInputs.join(', ')}.`]),
    `Run it: POST ${workflowsPrefix}/execute-flow with flow_id "${flow.flowId}"; in the background: POST ${asynchronous}.`,
    ...(flow.metadata.approval_required === true
      ? ['Every execution waits for the approval of an account with the permission "manage workflows".']
      : []),
    `Change it: PUT ${flowUrl(flow.flowId)} makes revision ${flow.version + 1} and leaves this one as it is.`,
  ]
}

function flowUrl(id: string): string {
  return `${workflowsPrefix}/flows/${id}`
}
