import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { access, baseUrlOf, managesAll, readRate, requireAccount, schemas } from '#executions-api'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, offsetOf, type Principal, pageQuery } from '#kernel/http'
import type { Idempotency } from '#kernel/idempotency'
import { triggersFailure } from '../errors.ts'
import type { Actor, SavedTrigger } from '../manage.ts'
import { type Trigger, triggerKinds } from '../trigger.ts'
import type { Triggers } from '../triggers.ts'
import { describeDelivery, describeTrigger } from './describe.ts'
import {
  DeliveryResponse,
  ReplayedResponse,
  SavedTriggerResponse,
  Secret,
  TriggerBody,
  TriggerResponse,
} from './schemas.ts'

export interface TriggerRoutesOptions {
  readonly triggers: Triggers
  /** The prefix of the API. */
  readonly prefix: string
  readonly tiers: { readonly requestsPerHour: typeof readRate }
  readonly idempotency: Pick<Idempotency, 'workIdOf'>
  readonly publicUrl: string | undefined
}

const params = Type.Object({ id: Type.String({ format: 'uuid', description: 'The id of the trigger.' }) })
const deliveryParams = Type.Object({
  id: Type.String({ format: 'uuid', description: 'The id of the trigger.' }),
  delivery: Type.String({ maxLength: 300, description: '`delivery_id` of the list, URL-encoded.' }),
})

const config = { access: access.seesExecutions, ratePolicy: readRate } as const

/** Routes to create, change, read and replay triggers. */
export function addManageRoutes(routes: HttpServer, options: TriggerRoutesOptions): void {
  const { triggers, prefix, tiers, idempotency, publicUrl } = options
  const path = `${prefix}/triggers`

  function describeSaved(request: FastifyRequest, { trigger, token, secret }: SavedTrigger) {
    const base = baseUrlOf(request, publicUrl, prefix)
    return {
      success: true,
      trigger_id: trigger.id,
      trigger: describeTrigger(trigger),
      url: token === null ? null : `${base}/hooks/${token}`,
      secret,
    }
  }

  /** A trigger that the caller may see. Throws `trigger_not_found` for every other id. */
  async function find(principal: Principal, id: string): Promise<Trigger> {
    const trigger = await triggers.read(id)
    if (trigger !== undefined && (trigger.accountId === principal.id || managesAll(principal))) return trigger
    throw triggersFailure('trigger_not_found', { details: { trigger_id: id } })
  }

  routes.post(
    path,
    {
      config: { access: access.runsWorkflows, ratePolicy: tiers.requestsPerHour, idempotent: true },
      schema: {
        operationId: 'createTrigger',
        summary: 'Create a trigger',
        description:
          'A webhook starts an execution of the flow for each request to its URL, an event trigger for each event. With `signal` it sends an event to executions that wait for it instead. Executions count against your budget and limits. An account can have 200 triggers.',
        body: TriggerBody,
        response: { 201: SavedTriggerResponse },
      },
    },
    async (request, reply) => {
      const saved = await triggers.create(request.body, {
        id: idempotency.workIdOf(request),
        accountId: requireAccount(request.principal),
        actor: actorOf(request),
      })
      return reply
        .code(201)
        .header('location', `${path}/${saved.trigger.id}`)
        .header('cache-control', 'no-store')
        .send(describeSaved(request, saved))
    },
  )

  routes.get(
    path,
    {
      config,
      schema: {
        operationId: 'listTriggers',
        summary: 'List triggers',
        description:
          'Lists your own triggers; with `manage workflows` those of all accounts or of one `account`. The oldest come first.',
        querystring: Type.Object(
          {
            flow_id: Type.Optional(Type.String({ maxLength: 200 })),
            kind: Type.Optional(Type.Enum([...triggerKinds])),
            account: Type.Optional(
              Type.String({
                format: 'uuid',
                description: 'The account. Other accounts require `manage workflows`.',
              }),
            ),
            ...pageQuery,
          },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object(
            { triggers: Type.Array(TriggerResponse), total: Type.Integer() },
            { description: 'A page of triggers.' },
          ),
        },
      },
    },
    async ({ principal, query }, reply) => {
      const { triggers: found, total } = await triggers.list({
        accountId: whoseTriggers(principal, query.account),
        flowId: query.flow_id,
        kind: query.kind,
        limit: query.limit,
        offset: offsetOf(query),
      })
      return reply.header('cache-control', 'no-store').send({ triggers: found.map(describeTrigger), total })
    },
  )

  routes.get(
    `${path}/:id`,
    {
      config,
      schema: {
        operationId: 'getTrigger',
        summary: 'Get a trigger',
        description: 'Includes the last outcome and the counts. URL and secret are never shown again.',
        params,
        response: { 200: TriggerResponse },
      },
    },
    async (request, reply) =>
      reply
        .header('cache-control', 'no-store')
        .send(describeTrigger(await find(request.principal, request.params.id))),
  )

  routes.put(
    `${path}/:id`,
    {
      config,
      schema: {
        operationId: 'changeTrigger',
        summary: 'Change a trigger',
        description:
          'Replaces all fields. The URL stays; the secret stays unless `verification` has another type or a new secret.',
        params,
        body: TriggerBody,
        response: { 200: SavedTriggerResponse },
      },
    },
    async (request, reply) => {
      const before = await find(request.principal, request.params.id)
      const saved = await triggers.change(before, request.body, actorOf(request))
      return reply.header('cache-control', 'no-store').send(describeSaved(request, saved))
    },
  )

  routes.post(
    `${path}/:id/rotate`,
    {
      config,
      schema: {
        operationId: 'rotateTrigger',
        summary: 'Replace the URL or the secret of a trigger',
        description: 'The old URL or secret stops to work at once.',
        params,
        body: Type.Object(
          {
            part: Type.Enum(['url', 'secret'], { description: 'What is replaced.' }),
            secret: Type.Optional(Secret),
          },
          { additionalProperties: false },
        ),
        response: { 200: SavedTriggerResponse },
      },
    },
    async (request, reply) => {
      const trigger = await find(request.principal, request.params.id)
      const saved = await triggers.rotate(trigger, request.body, actorOf(request))
      return reply.header('cache-control', 'no-store').send(describeSaved(request, saved))
    },
  )

  routes.delete(
    `${path}/:id`,
    {
      config,
      schema: {
        operationId: 'deleteTrigger',
        summary: 'Delete a trigger',
        description: 'Its running executions continue.',
        params,
        response: {
          200: Type.Object(
            {
              success: schemas.flag('Always true.'),
              trigger_id: Type.String(),
              status: Type.Literal('deleted'),
            },
            { description: 'The trigger is deleted.' },
          ),
        },
      },
    },
    async (request) => {
      const trigger = await find(request.principal, request.params.id)
      await triggers.remove(trigger, actorOf(request))
      return { success: true, trigger_id: trigger.id, status: 'deleted' as const }
    },
  )

  routes.get(
    `${path}/:id/deliveries`,
    {
      config,
      schema: {
        operationId: 'listTriggerDeliveries',
        summary: 'List deliveries of a trigger',
        description:
          'Requests and events of the last seven days, the newest first. Requests with a wrong signature have no delivery: the trigger counts them.',
        params,
        querystring: Type.Object(pageQuery, { additionalProperties: false }),
        response: {
          200: Type.Object(
            { deliveries: Type.Array(DeliveryResponse), total: Type.Integer() },
            { description: 'A page of deliveries.' },
          ),
        },
      },
    },
    async ({ principal, params: { id }, query }, reply) => {
      const trigger = await find(principal, id)
      const { deliveries, total } = await triggers.deliveries(trigger.id, {
        limit: query.limit,
        offset: offsetOf(query),
      })
      return reply
        .header('cache-control', 'no-store')
        .send({ deliveries: deliveries.map(describeDelivery), total })
    },
  )

  routes.post(
    `${path}/:id/deliveries/:delivery/replay`,
    {
      config: { access: access.seesExecutions, ratePolicy: tiers.requestsPerHour, idempotent: true },
      schema: {
        operationId: 'replayTriggerDelivery',
        summary: 'Replay a delivery',
        description:
          'Starts a new execution with the request of a delivery, with the flow and the input of the trigger as they are now. The filter is not applied. Requests of the newest 200 deliveries up to 64 KiB are kept.',
        params: deliveryParams,
        response: { 202: ReplayedResponse },
      },
    },
    async (request, reply) => {
      const trigger = await find(request.principal, request.params.id)
      const replayed = await triggers.replay(trigger, request.params.delivery, idempotency.workIdOf(request))
      return reply.code(202).send({
        success: true,
        trigger_id: trigger.id,
        delivery_id: replayed.deliveryId,
        execution_id: replayed.result.outcome === 'started' ? replayed.result.executionId : null,
        event_id: replayed.result.outcome === 'signalled' ? replayed.result.eventId : null,
      })
    },
  )
}

/** Null: all accounts. */
function whoseTriggers(principal: Principal, account: string | undefined): string | null {
  if (managesAll(principal)) return account ?? null
  if (account === undefined || account.toLowerCase() === principal.id) return requireAccount(principal)
  throw kernelFailure('permission_denied', {
    message: 'You need the permission "manage workflows" to see triggers of others.',
    details: { permission: ['manage workflows'] },
  })
}

function actorOf({ principal, ip, headers }: FastifyRequest): Actor {
  return {
    by: principal.id,
    ip,
    user_agent: headers['user-agent']?.slice(0, 200) ?? null,
    permissions: principal.permissions,
  }
}
