import { Type } from 'typebox'
import { access, findExecution, readRate, requireAccount, schemas, units } from '#executions-api'
import { type HttpServer, offsetOf, pageQuery } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'
import { executionStates, flag, integer, maybeText, text } from '../../schemas/values.ts'
import type { ControlRoutesOptions } from './control-routes.ts'

const config = { access: access.managesWorkflows, ratePolicy: readRate } as const

const DecisionBody = Type.Object(
  {
    note: Type.Optional(
      Type.String({
        maxLength: 2000,
        description: 'The reason, for the account that requested the execution.',
      }),
    ),
  },
  { additionalProperties: false },
)

const DecidedBody = Type.Object(
  {
    success: flag('Always true: the decision is stored.'),
    execution_id: Type.String(),
    status: Type.Enum([...executionStates]),
    approval: Type.Enum(['approved', 'rejected']),
    note: maybeText('The note of the decision.'),
  },
  { description: 'The decision.' },
)

const ApprovalPart = Type.Object({
  execution_id: Type.String(),
  flow_id: Type.String(),
  flow_version: Type.Integer(),
  flow_label: Type.String(),
  requested_by: text('The account that requested the execution and pays for it.'),
  requested_at: integer('Epoch seconds.'),
  priority: Type.String(),
  forked_from: maybeText('The execution it was forked from.'),
  schedule_id: maybeText('The schedule that started it.'),
})

const decisions = [
  ['approve', 'approved', 'Approve an execution', 'The execution is queued.'],
  [
    'reject',
    'rejected',
    'Reject an execution',
    'The execution ends as cancelled, with the note as the reason.',
  ],
] as const

/** Lists, approves and rejects executions that require approval. */
export function addApprovalRoutes(routes: HttpServer, { engine }: ControlRoutesOptions): void {
  routes.get(
    `${workflowsPrefix}/approvals`,
    {
      config,
      schema: {
        operationId: 'listApprovals',
        summary: 'List pending approvals',
        description: 'Lists executions that wait for approval, the oldest first.',
        querystring: Type.Object(pageQuery, { additionalProperties: false }),
        response: {
          200: Type.Object(
            { approvals: Type.Array(ApprovalPart), total: integer('Number of pending approvals.') },
            { description: 'The executions that wait for approval.' },
          ),
        },
      },
    },
    async ({ query }, reply) => {
      const { limit } = query
      const { waiting, total } = await engine.control.waitingApprovals({ limit, offset: offsetOf(query) })
      return reply.header('cache-control', 'no-store').send({
        approvals: waiting.map((it) => ({
          execution_id: it.id,
          flow_id: it.flowId,
          flow_version: it.flowVersion,
          flow_label: it.flowLabel,
          requested_by: it.accountId,
          requested_at: units.epochSeconds(it.createdAt),
          priority: it.priority,
          forked_from: it.forkedFrom,
          schedule_id: it.scheduleId,
        })),
        total,
      })
    },
  )

  for (const [verb, decision, summary, description] of decisions) {
    routes.post(
      `${workflowsPrefix}/executions/:execution_id/${verb}`,
      {
        config,
        schema: {
          operationId: `${verb}Execution`,
          summary,
          description: `${description} The first decision counts.`,
          params: schemas.executionParams,
          body: schemas.optionalBody(DecisionBody),
          response: { 200: DecidedBody },
        },
      },
      async ({ params, body, principal }) => {
        const { id } = await findExecution(engine, principal, params.execution_id)
        const note = body?.note
        await engine.control.decide(id, { decision, by: requireAccount(principal), note })
        const { status } = await findExecution(engine, principal, id)
        return { success: true, execution_id: id, status, approval: decision, note: note ?? null }
      },
    )
  }
}
