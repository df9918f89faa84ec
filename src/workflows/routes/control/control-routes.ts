import { Type } from 'typebox'
import { ExecutionOptions, recoveryActions } from '#engine'
import {
  access,
  cancelExecution,
  describeCancelled,
  findExecution,
  managesAll,
  readRate,
  requireAccount,
  schemas,
  units,
} from '#executions-api'
import type { HttpServer } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'
import type { WorkflowsOptions } from '../../route-options.ts'
import {
  executionStates,
  flag,
  freeForm,
  integer,
  maybeInteger,
  maybeText,
  text,
  texts,
} from '../../schemas/values.ts'
import { addApprovalRoutes } from './approval-routes.ts'
import { addRerunRoute, replacement, versionChoice } from './rerun-routes.ts'

/** The dependencies of these routes. */
export type ControlRoutesOptions = Pick<WorkflowsOptions, 'engine' | 'tiers' | 'idempotency'>

/** Routes that control executions, and the persistent memory of flows. */
export function addControlRoutes(routes: HttpServer, options: ControlRoutesOptions): void {
  addCancelRoute(routes, options)
  addRecoverRoute(routes, options)
  addForkRoute(routes, options)
  addRerunRoute(routes, options)
  addApprovalRoutes(routes, options)
  addMemoryRoutes(routes, options)
}

const RecoverBody = Type.Object(
  {
    action: Type.Enum([...recoveryActions], {
      description:
        '`restart_from_checkpoint` runs the failed steps again; `retry_with_different_provider` also excludes the failed providers; `continue_without_failed_step` skips the failed step.',
    }),
    flow_version: Type.Optional(
      versionChoice(
        'The version to continue with. Another one must leave the finished steps and the steps before them as they are. Default: `same`.',
      ),
    ),
    max_total_cost: Type.Optional(
      Type.Number({
        minimum: 0.000001,
        maximum: 1_000_000,
        description:
          'A new budget in dollars, with what is spent already, for an execution that used up its own. Only with `restart_from_checkpoint`; above the limit of the flow it requires `manage workflows`.',
      }),
    ),
  },
  { additionalProperties: false },
)

/** Recovers failed executions. */
function addRecoverRoute(routes: HttpServer, { engine, tiers, idempotency }: ControlRoutesOptions): void {
  routes.post(
    `${workflowsPrefix}/executions/:execution_id/recover`,
    {
      config: { access: access.seesExecutions, ratePolicy: tiers.requestsPerHour, idempotent: true },
      schema: {
        operationId: 'recoverExecution',
        summary: 'Recover a failed execution',
        description:
          'Queues the execution again under the same id. Finished steps keep their outputs, and the timeout starts anew. `recovery_options` in the error lists the useful actions.',
        params: schemas.executionParams,
        body: RecoverBody,
        response: {
          202: Type.Object(
            {
              success: flag('Always true: the execution is queued again.'),
              execution_id: Type.String(),
              status: Type.Enum([...executionStates]),
              action: text('The action that was taken.'),
            },
            { description: 'The execution is queued again.' },
          ),
        },
      },
    },
    async (request, reply) => {
      const { params, body, principal } = request
      const { id, accountId } = await findExecution(engine, principal, params.execution_id)
      await engine.capacity.requireQueueCapacity(accountId)
      await engine.control.recover(id, {
        requestId: idempotency.workIdOf(request),
        action: body.action,
        by: principal.id,
        flowVersion: body.flow_version,
        budget:
          body.max_total_cost === undefined
            ? undefined
            : { maxTotalCost: body.max_total_cost, mayExceedFlow: managesAll(principal) },
      })
      return reply
        .code(202)
        .send({ success: true, execution_id: id, status: 'queued' as const, action: body.action })
    },
  )
}

const config = { access: access.runsWorkflows, ratePolicy: readRate } as const
const flowParams = Type.Object({ id: text('The flow.') })

/** The memory that flows keep for an account between executions. */
function addMemoryRoutes(routes: HttpServer, { engine }: ControlRoutesOptions): void {
  const path = `${workflowsPrefix}/flows/:id/memory`

  routes.get(
    path,
    {
      config,
      schema: {
        operationId: 'readFlowMemory',
        summary: 'Get the memory of a flow',
        description:
          'A flow with `shared_memory_persistent` starts with the memory of your last completed execution. Of concurrent executions the last one to finish wins. At most 1 MiB is stored.',
        params: flowParams,
        response: {
          200: Type.Object(
            {
              success: flag('Always true.'),
              flow_id: Type.String(),
              memory: freeForm('The stored memory by key; empty when none is stored.'),
              size_bytes: integer('The size in bytes.'),
              updated_at: maybeInteger('Epoch seconds; null when no memory is stored.'),
            },
            { description: 'The stored memory of the flow.' },
          ),
        },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const kept = await engine.memories.read(requireAccount(request.principal), id)
      // A deleted flow may have left memory behind.
      if (kept === undefined) await engine.flows.read(id)
      return reply.header('cache-control', 'no-store').send({
        success: true,
        flow_id: id,
        memory: kept?.memory ?? {},
        size_bytes: kept?.bytes ?? 0,
        updated_at: kept === undefined ? null : units.epochSeconds(kept.updatedAt),
      })
    },
  )

  routes.delete(
    path,
    {
      config,
      schema: {
        operationId: 'clearFlowMemory',
        summary: 'Clear the memory of a flow',
        description: 'Your next execution starts with an empty memory. The memory of other accounts stays.',
        params: flowParams,
        response: {
          200: Type.Object(
            {
              success: flag('Always true: no memory is stored now.'),
              flow_id: Type.String(),
              cleared: flag('Whether a memory was stored before.'),
            },
            { description: 'The memory is cleared.' },
          ),
        },
      },
    },
    async (request) => {
      const { id } = request.params
      const cleared = await engine.memories.clear(requireAccount(request.principal), id)
      if (!cleared) await engine.flows.read(id)
      return { success: true, flow_id: id, cleared }
    },
  )
}

const ForkBody = Type.Object(
  {
    from_step: Type.String({
      minLength: 1,
      maxLength: 300,
      description:
        'The first step to run: its id, or inside a container its step path, such as `translate_all/7/translate`. Outcomes of the steps before it, and of other items, are reused.',
    }),
    flow_version: Type.Optional(
      versionChoice(
        'The version to run. Another one reuses only the outcomes of steps that it leaves as they are, as well as the steps before them; the others run again. Default: `same`.',
      ),
    ),
    context: replacement('Context fields that replace those of the original execution.'),
    memory: replacement('Keys of the shared memory to replace, including keys that reused steps wrote.'),
    options: Type.Optional(ExecutionOptions),
  },
  { additionalProperties: false },
)

/** Forks executions. */
function addForkRoute(routes: HttpServer, options: ControlRoutesOptions): void {
  const { engine, tiers, idempotency } = options
  routes.post(
    `${workflowsPrefix}/executions/:execution_id/fork`,
    {
      config: { access: access.seesExecutions, ratePolicy: tiers.requestsPerHour, idempotent: true },
      schema: {
        operationId: 'forkExecution',
        summary: 'Fork an execution from a step',
        description:
          'Starts a new execution from a step of this one, with changed input, or with another version of the flow. Reused steps cost nothing. It belongs to the calling account.',
        params: schemas.executionParams,
        body: ForkBody,
        response: {
          202: Type.Object(
            {
              success: flag('Always true: the execution is queued.'),
              execution_id: text('The new execution.'),
              status: Type.Enum([...executionStates]),
              forked_from: Type.String(),
              from_step: Type.String(),
              flow_version: integer('The version that it runs.'),
              reused_steps: texts('Steps with a reused outcome.'),
              approval: maybeText('`pending` when an approval is required.'),
            },
            { description: 'The new execution is queued.' },
          ),
        },
      },
    },
    async (request, reply) => {
      const { params, body, principal } = request
      const source = await findExecution(engine, principal, params.execution_id)
      const accountId = requireAccount(principal)
      await engine.capacity.requireQueueCapacity(accountId)
      const { id } = await engine.control.fork(source.id, {
        id: idempotency.workIdOf(request),
        accountId,
        fromStep: body.from_step,
        flowVersion: body.flow_version,
        context: body.context,
        memory: body.memory,
        options: body.options,
      })
      const fork = await findExecution(engine, principal, id)
      const reused = fork.outcomes.filter(({ details }) => details['reused_from'] !== undefined)
      return reply.code(202).send({
        success: true,
        execution_id: id,
        status: fork.status,
        forked_from: source.id,
        from_step: body.from_step,
        flow_version: fork.flowVersion,
        reused_steps: [...new Set(reused.map(({ stepId }) => stepId))],
        approval: fork.approval,
      })
    },
  )
}

const CancelledExecution = Type.Object(schemas.cancelledFields, {
  description: 'The cancelled execution with its partial results.',
})

/** Cancels executions. */
function addCancelRoute(routes: HttpServer, { engine }: ControlRoutesOptions): void {
  routes.post(
    `${workflowsPrefix}/executions/:execution_id/cancel`,
    {
      config: { access: access.seesExecutions, ratePolicy: readRate },
      schema: {
        operationId: 'cancelExecution',
        summary: 'Cancel an execution',
        description:
          'Stops calls to models and other APIs and settles their cost. Responds with 200 once the execution is cancelled, or with 202 if its worker does not confirm within ten seconds.',
        params: schemas.executionParams,
        body: schemas.cancelRequest(
          'Cancels without the worker if it does not confirm within two seconds. The reserved cost of its calls is then charged in full. Default: false.',
        ),
        response: { 200: CancelledExecution, 202: CancelledExecution },
      },
    },
    async ({ params, body, principal }, reply) => {
      const { reason, force = false, cleanup = false } = body ?? {}
      const id = params.execution_id
      const cancelled = await cancelExecution({ engine, principal, id, reason, force, cleanup })
      return reply
        .code(cancelled.isOver ? 200 : 202)
        .send(describeCancelled(cancelled, { cleanup, omitsRemovedOutputs: false }))
    },
  )
}
