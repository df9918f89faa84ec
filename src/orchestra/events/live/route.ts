import { Type } from 'typebox'
import { Failure } from '#kernel/errors'
import { type HttpServer, sendEventStream } from '#kernel/http'
import { epochSeconds, managesAll, seesFlows } from '#runs'
import { orchestraPrefix } from '../../interface.ts'
import type { OrchestraOptions } from '../../route-options.ts'
import { followLive } from './follow-live.ts'
import { createLiveTail } from './live-tail.ts'
import { createSystemStatus } from './system-status.ts'

const statusEveryMs = 5000

/** Executions under way that a snapshot names, the newest first. */
const mostInSnapshot = 100

const about = `Server-sent events, as they happen. \`status_update\` (\`active_workflows, queue_size, system_load, timestamp\`) comes at once
and every 5 seconds; \`system_load\` is in percent of the processors. \`workflow_started\`, \`workflow_completed\` and \`workflow_failed\` tell of your own executions, with
\`manage workflows\` of everybody's; \`cost_alert\` of a threshold of an execution or of the day that was reached; \`error\` of a step that is tried again or whose
provider failed. \`agent_performance\` comes after an agent ran, every 10 seconds at most, and \`provider_status\` when a provider
can be asked again or no longer. Every event has an id. Whoever reconnects with \`Last-Event-ID\` within ten minutes misses and repeats nothing, whichever process answers;
later, or with an id that is not known, the first event is \`stream_reset\` (\`reason, active_workflows, timestamp\`): read anew what you show.`

const cursorText = Type.String({
  pattern: '^(?:\\d{1,15}(?:\\.\\d{1,15})?)?$',
  'x-means': 'must be the id of an event of this stream, such as 12 or 12.1794752000000',
  description: 'The id of the last event that is known.',
})

/** What happens on the platform, as it happens. */
export function addLiveStreamRoute(
  routes: HttpServer,
  { database, engine, events, watch }: Pick<OrchestraOptions, 'database' | 'engine' | 'events' | 'watch'>,
): void {
  const { log } = routes
  const tail = createLiveTail({ events, log })
  const status = createSystemStatus({ database, log, everyMs: statusEveryMs })

  /** Why not everything after this event can be told; undefined when it can. */
  async function gapAfter(cursor: number, since: number) {
    if (cursor < since) return 'too_old'
    try {
      await events.checkCursor(cursor)
      return undefined
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== 'cursor_out_of_range') throw error
      return cursor > (await events.lastId()) ? 'unknown' : 'too_old'
    }
  }

  async function snapshotFor(accountId: string | undefined) {
    const { executions, total } = await engine.executions.list({
      accountId,
      status: 'running',
      order: 'newest',
      limit: mostInSnapshot,
      offset: 0,
    })
    return {
      active_workflows: executions.map(({ id, flowId, startedAt }) => ({
        execution_id: id,
        workflow_id: flowId,
        started_at: startedAt === null ? null : epochSeconds(startedAt),
      })),
      total,
      timestamp: epochSeconds(new Date()),
    }
  }

  routes.get(
    `${orchestraPrefix}/live-stream`,
    {
      config: { access: seesFlows },
      schema: {
        operationId: 'followOrchestra',
        summary: 'Follow the platform at work',
        description: about.replaceAll('\n', ' '),
        querystring: Type.Object(
          {
            last_event_id: Type.Optional({
              ...cursorText,
              description:
                'The same as the header `Last-Event-ID`, which wins, for clients that cannot set one.',
            }),
          },
          { additionalProperties: false },
        ),
        headers: Type.Object({ 'last-event-id': Type.Optional(cursorText) }),
        response: {
          200: {
            description: 'A stream that ends when either side closes it.',
            content: { 'text/event-stream': { schema: Type.String() } },
          },
        },
      },
    },
    async (request, reply) => {
      using seat = await watch.join()
      const given = request.headers['last-event-id'] || request.query.last_event_id || undefined
      const asked = given === undefined ? undefined : Math.floor(Number(given))
      const gap = asked === undefined ? undefined : await gapAfter(asked, seat.since)
      const after = asked === undefined || gap !== undefined ? await events.lastId() : asked
      await sendEventStream(request, reply, {
        messages: (signal) =>
          followLive({
            tail,
            status,
            events,
            after,
            gap,
            signal,
            snapshot: () =>
              snapshotFor(managesAll(request.principal) ? undefined : (request.principal.id ?? nobodyId)),
            // Asked anew each time: what somebody may see can change while they watch.
            sees: (account) =>
              account === null || account === request.principal.id || managesAll(request.principal),
          }),
      })
    },
  )
}

/** No account has this id. */
const nobodyId = '00000000-0000-0000-0000-000000000000'
