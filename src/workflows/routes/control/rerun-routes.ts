import { Type } from 'typebox'
import { ExecutionOptions } from '#engine'
import { access, findExecution, requireAccount, schemas } from '#executions-api'
import type { HttpServer } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'
import type { WorkflowsOptions } from '../../route-options.ts'
import { executionStates, flag, integer, maybeText, text } from '../../schemas/values.ts'

/** The version of a flow that an execution runs again or continues with. */
export function versionChoice(description: string) {
  return Type.Union([Type.Enum(['same', 'latest']), Type.Integer({ minimum: 1, maximum: 2_147_483_647 })], {
    description,
  })
}

/** An optional object with fields of any name. */
export function replacement(description: string) {
  return Type.Optional(
    Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      additionalProperties: true,
      description,
    }),
  )
}

const RerunBody = Type.Object(
  {
    version: versionChoice(
      '`same`: the version of the original execution; `latest`: the newest one, for example after a correction; or the number of a version.',
    ),
    context: replacement('The context in place of that of the original execution.'),
    memory: replacement('The shared memory at the start, in place of that of the original execution.'),
    options: Type.Optional(ExecutionOptions),
  },
  { additionalProperties: false },
)

/** Runs executions again. */
export function addRerunRoute(
  routes: HttpServer,
  { engine, tiers, idempotency }: Pick<WorkflowsOptions, 'engine' | 'tiers' | 'idempotency'>,
): void {
  routes.post(
    `${workflowsPrefix}/executions/:execution_id/rerun`,
    {
      config: { access: access.seesExecutions, ratePolicy: tiers.requestsPerHour, idempotent: true },
      schema: {
        operationId: 'rerunExecution',
        summary: 'Run an execution again',
        description:
          'Starts a new execution of the same flow from its first step, with the same input unless the request replaces parts of it. The original may be in any state and stays as it is. The new one belongs to the calling account.',
        params: schemas.executionParams,
        body: RerunBody,
        response: {
          202: Type.Object(
            {
              success: flag('Always true: the execution is queued.'),
              execution_id: text('The new execution.'),
              status: Type.Enum([...executionStates]),
              rerun_of: text('The original execution.'),
              flow_version: integer('The version that it runs.'),
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
      const { id } = await engine.control.rerun(source.id, {
        ...body,
        id: idempotency.workIdOf(request),
        accountId,
      })
      const rerun = await findExecution(engine, principal, id)
      return reply.code(202).send({
        success: true,
        execution_id: id,
        status: rerun.status,
        rerun_of: source.id,
        flow_version: rerun.flowVersion,
        approval: rerun.approval,
      })
    },
  )
}
