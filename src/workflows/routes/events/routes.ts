import { Type } from 'typebox'
import { access, invalidField, requireAccount } from '#executions-api'
import type { HttpServer } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'
import type { WorkflowsOptions } from '../../route-options.ts'
import { flag, integer, text } from '../../schemas/values.ts'

const maxDataBytes = 256 * 1024

const defaultTtlSeconds = 7 * 86_400

const EventBody = Type.Object(
  {
    name: Type.String({
      pattern: '^[A-Za-z0-9_.:-]{1,100}$',
      'x-means': 'must be up to 100 letters, digits, dots, colons, hyphens and underscores',
      description: 'The name of the event: `event` of the steps that wait for it.',
    }),
    correlation_key: Type.String({
      minLength: 1,
      maxLength: 200,
      pattern: String.raw`^\S(.*\S)?$`,
      'x-means': 'must be up to 200 characters in one line, without spaces at its ends',
      description: 'The key of the event: `correlation_key` of the steps that wait for it.',
    }),
    data: Type.Optional(
      Type.Unknown({ description: 'Data for these steps: JSON of up to 256 KiB. Default: null.' }),
    ),
    ttl: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 30 * 86_400,
        description:
          'Seconds for which the event is kept for steps that begin to wait later; 0: it is not kept. Default: 604800 (7 days).',
      }),
    ),
  },
  { additionalProperties: false, description: 'An event for your own executions.' },
)

/** Sends events to executions that wait for them. */
export function addEventRoutes(
  routes: HttpServer,
  { engine, tiers, idempotency }: Pick<WorkflowsOptions, 'engine' | 'tiers' | 'idempotency'>,
): void {
  routes.post(
    `${workflowsPrefix}/events`,
    {
      config: { access: access.runsWorkflows, ratePolicy: tiers.requestsPerHour, idempotent: true },
      schema: {
        operationId: 'sendEvent',
        summary: 'Send an event to waiting executions',
        description:
          'All steps of type `wait_for_event` in your own executions with this name and key continue. The event is kept for steps that begin to wait later, in executions that exist already.',
        body: EventBody,
        response: {
          202: Type.Object(
            {
              success: flag('Always true: the event is stored.'),
              event_id: text('The id of the event.'),
              matched: integer('Number of waiting steps that it continued.'),
            },
            { description: 'The event was received.' },
          ),
        },
      },
    },
    async (request, reply) => {
      const { name, correlation_key: key, data = null, ttl = defaultTtlSeconds } = request.body
      if (Buffer.byteLength(JSON.stringify(data)) > maxDataBytes) {
        throw invalidField({ path: 'data', message: 'must be at most 256 KiB of JSON', code: 'size' })
      }
      const id = idempotency.workIdOf(request)
      const accountId = requireAccount(request.principal)
      const { matched } = await engine.events.send({ id, accountId, name, key, data, ttlMs: ttl * 1000 })
      return reply.code(202).send({ success: true, event_id: id, matched })
    },
  )
}
