import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import type { Events, StoredEvent } from '#kernel/events'
import { type HttpServer, sendEventStream } from '#kernel/http'

const eventSchema = Type.Object({
  id: Type.Integer({ description: 'Grows by one with every event, in the order they were committed.' }),
  type: Type.String({ description: 'What happened, such as `identity.signed_in`.' }),
  subject: Type.Union([Type.String(), Type.Null()], { description: 'What it happened to.' }),
  account: Type.Union([Type.String(), Type.Null()], { description: 'The account it concerns.' }),
  data: Type.Object({}, { additionalProperties: true }),
  created_at: Type.String({ format: 'date-time' }),
})

const typeFilter = Type.Optional(Type.String({ maxLength: 200, description: 'Only events of this type.' }))

const access = { permission: 'administer llm' } as const

/** The event log: page by page, and as a stream that resumes after the last event a reader received. */
export function addEventRoutes(routes: HttpServer, events: Events): void {
  routes.get(
    '/api/v1/events',
    {
      config: { access },
      schema: {
        summary: 'Read the event log',
        description: 'The newest page; with `after` what came next, with `before` what came earlier.',
        querystring: Type.Object({
          after: Type.Optional(Type.Integer({ minimum: 0, description: 'The last id already seen.' })),
          before: Type.Optional(
            Type.Integer({ minimum: 1, description: 'An id to look back from; not together with `after`.' }),
          ),
          limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
          type: typeFilter,
        }),
        response: {
          200: Type.Object(
            {
              data: Type.Array(eventSchema, { description: 'Oldest first.' }),
              total: Type.Integer({ description: 'Events in the log that match.' }),
              last_id: Type.Integer({ description: 'The id of the newest event; 0 before the first.' }),
              truncated: Type.Boolean({ description: 'Whether events after `after` are no longer kept.' }),
            },
            { description: 'A page of events.' },
          ),
        },
      },
    },
    async (request) => {
      const { after, before, limit, type } = request.query
      if (after !== undefined && before !== undefined) throw afterAndBefore()
      const filter = type === undefined ? {} : { types: [type] }
      const lastId = await events.lastId()
      const { events: page, truncated } =
        after === undefined
          ? { events: await events.readNewest({ ...filter, before, limit }), truncated: false }
          : await events.read({ ...filter, after, limit })
      return { data: page.map(describeEvent), total: await events.count(filter), last_id: lastId, truncated }
    },
  )

  routes.get(
    '/api/v1/events/stream',
    {
      config: { access },
      schema: {
        summary: 'Follow the event log',
        description:
          'Server-sent events. Each carries its id; a reader that reconnects with `Last-Event-ID` misses and repeats nothing.',
        querystring: Type.Object({
          after: Type.Optional(
            Type.Integer({ minimum: 0, description: 'Begin after this id; default: now.' }),
          ),
          type: typeFilter,
        }),
        headers: Type.Object({ 'last-event-id': Type.Optional(Type.Integer({ minimum: 0 })) }),
        response: {
          200: {
            description: 'A stream that ends when either side closes it.',
            content: { 'text/event-stream': { schema: Type.String() } },
          },
        },
      },
    },
    async (request, reply) => {
      const { after, type } = request.query
      const seen = request.headers['last-event-id'] ?? after
      // Checked before the stream begins: a client would reopen a stream that only ends, again and again.
      if (seen !== undefined) await events.checkCursor(seen)
      const cursor = seen ?? (await events.lastId())
      const types = type === undefined ? undefined : [type]
      await sendEventStream(request, reply, {
        messages: async function* (signal) {
          for await (const event of events.follow({ after: cursor, types, signal })) {
            yield { id: event.id, event: 'event', data: describeEvent(event) }
          }
        },
      })
    },
  )
}

function afterAndBefore() {
  const message = 'cannot be given together with `after`'
  return kernelFailure('invalid_input', {
    message: `before ${message}.`,
    problems: [{ path: 'before', message, code: 'conflict' }],
  })
}

function describeEvent({ id, type, subject, account, data, createdAt }: StoredEvent) {
  return { id, type, subject, account, data, created_at: createdAt.toISOString() }
}
