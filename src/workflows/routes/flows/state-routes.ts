import type { FastifyRequest } from 'fastify'
import type { Engine } from '#engine'
import { access } from '#executions-api'
import type { Events } from '#kernel/events'
import type { HttpServer } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'
import { FlowState, FlowStateBody, flowParams } from './schemas.ts'

/** The types of the audit events about the state of flows. */
export const flowStateEventTypes = ['workflows.flow_disabled', 'workflows.flow_enabled'] as const

interface Options {
  readonly engine: Pick<Engine, 'flows'>
  readonly events: Pick<Events, 'appendWithin'>
}

/** Enables and disables flows. */
export function addStateRoutes(routes: HttpServer, { engine, events }: Options): void {
  routes.patch(
    `${workflowsPrefix}/flows/:id`,
    {
      config: { access: access.managesWorkflows },
      schema: {
        operationId: 'setFlowState',
        summary: 'Enable or disable a flow',
        description:
          'A disabled flow is not started: requests, schedules, triggers, reruns, forks and recoveries are refused with 409, and steps that call it fail. Running executions continue. Built-in flows can be disabled, too.',
        params: flowParams,
        body: FlowStateBody,
        response: { 200: FlowState },
      },
    },
    async (request, reply) => {
      const { id } = request.params
      const { enabled } = request.body
      const changed = await engine.flows.setEnabled(id, enabled, {
        by: request.principal.id,
        inTransaction: async (transaction) => {
          await events.appendWithin(transaction, {
            type: enabled ? 'workflows.flow_enabled' : 'workflows.flow_disabled',
            subject: id,
            data: { flow_id: id, ...authorOfChange(request) },
          })
        },
      })
      return reply.header('cache-control', 'no-store').send({
        success: true,
        flow_id: id,
        enabled,
        status: changed ? (enabled ? 'enabled' : 'disabled') : 'unchanged',
      })
    },
  )
}

function authorOfChange({ principal, ip, headers }: FastifyRequest) {
  return { by: principal.id, ip, user_agent: headers['user-agent']?.slice(0, 512) ?? null }
}
