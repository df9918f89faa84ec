import { Type } from 'typebox'
import { type HttpServer, offsetOf, pageQuery } from '#kernel/http'
import { epochSeconds, findExecution, managesWorkflows, readRate, requireAccount } from '#runs'
import { workflowsPrefix } from '../../interface.ts'
import { executionStates, flag, integer, maybeText, text } from '../../schemas/values.ts'
import { executionId } from '../executions/execution-id.ts'
import type { ControlRoutesOptions } from './control-routes.ts'
import { optionalBody } from './optional-body.ts'

const config = { access: managesWorkflows, ratePolicy: readRate } as const

const DecisionBody = Type.Object(
  {
    note: Type.Optional(
      Type.String({ maxLength: 2000, description: 'Why, for whoever asked for the execution.' }),
    ),
  },
  { additionalProperties: false },
)

const DecidedBody = Type.Object(
  {
    success: flag('It is decided.'),
    execution_id: Type.String(),
    status: Type.Enum([...executionStates]),
    approval: Type.Enum(['approved', 'rejected']),
    note: maybeText('As it was given.'),
  },
  { description: 'What was decided.' },
)

const ApprovalPart = Type.Object({
  execution_id: Type.String(),
  flow_id: Type.String(),
  flow_version: Type.Integer(),
  flow_label: Type.String(),
  requested_by: text('The account that wants to run it, and pays.'),
  requested_at: integer('Epoch seconds.'),
  priority: Type.String(),
  forked_from: maybeText('The execution it was forked from.'),
  schedule_id: maybeText('The schedule that started it.'),
})

const decisions = [
  ['approve', 'approved', 'Approve an execution', 'It leaves for the queue.'],
  ['reject', 'rejected', 'Reject an execution', 'It ends as cancelled, and the note says why.'],
] as const

/** Agreeing to executions of flows that ask for it, or not. */
export function addApprovalRoutes(routes: HttpServer, { engine }: ControlRoutesOptions): void {
  routes.get(
    `${workflowsPrefix}/approvals`,
    {
      config,
      schema: {
        operationId: 'listApprovals',
        summary: 'Executions that wait for approval',
        description: 'All that you may decide about, the oldest first.',
        querystring: Type.Object(pageQuery, { additionalProperties: false }),
        response: {
          200: Type.Object(
            { approvals: Type.Array(ApprovalPart), total: integer('How many wait.') },
            { description: 'What waits for a decision.' },
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
          requested_at: epochSeconds(it.createdAt),
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
          description: `${description} Who decides first decides; afterwards there is nothing left to decide.`,
          params: executionId,
          body: optionalBody(DecisionBody),
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
