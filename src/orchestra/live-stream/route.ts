import { availableParallelism, loadavg } from 'node:os'
import { Type } from 'typebox'
import { access, managesAll, units } from '#executions-api'
import type { Database } from '#kernel/database'
import { Failure } from '#kernel/errors'
import type { Events } from '#kernel/events'
import { type HttpServer, type StreamMessage, sendEventStream } from '#kernel/http'
import type { Logger } from '#kernel/telemetry'
import { createStreamTail, type StreamEntry, type StreamTail, streamEventTypes, toStreamEntry } from '#outbox'
import { orchestraPrefix } from '../api.ts'
import type { OrchestraOptions } from '../route-options.ts'

const defaultStatusEveryMs = 5000

/** Maximum running executions in a snapshot, the newest first. */
const maxInSnapshot = 100

const about = `Server-sent events of the platform. \`status_update\` (\`active_workflows, queue_size, system_load, timestamp\`) is sent at the start
and every 5 seconds; \`system_load\` is in percent of the processors. \`workflow_started\`, \`workflow_completed\` and \`workflow_failed\` report your own executions, with
\`manage workflows\` those of all accounts; \`cost_alert\` reports a cost threshold of an execution or of the day; \`error\` reports a step that is retried or whose
provider failed. \`agent_performance\` is sent after runs of an agent, at most every 10 seconds, and \`provider_status\` when a provider becomes available or
unavailable. Every event has an id. A reader that reconnects with \`Last-Event-ID\` within ten minutes gets every missed event once, from any process;
later, or with an unknown id, the first event is \`stream_reset\` (\`reason, active_workflows, timestamp\`): reload what you show.`

const cursorText = Type.String({
  pattern: '^(?:\\d{1,15}(?:\\.\\d{1,15})?)?$',
  'x-means': 'must be the id of an event of this stream, such as 12 or 12.1794752000000',
  description: 'The id of the last received event.',
})

/** Streams the events of the platform. */
export function addLiveStreamRoute(
  routes: HttpServer,
  options: Pick<OrchestraOptions, 'database' | 'engine' | 'events' | 'watch' | 'liveStatusEveryMs'>,
): void {
  const { database, engine, events, watch, liveStatusEveryMs = defaultStatusEveryMs } = options
  const { log } = routes
  const tail = createStreamTail({ events, log })
  const status = createSystemStatus({ database, log, everyMs: liveStatusEveryMs })

  /** Why the events after the cursor are incomplete; undefined when they are complete. */
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
      limit: maxInSnapshot,
      offset: 0,
    })
    return {
      active_workflows: executions.map(({ id, flowId, startedAt }) => ({
        execution_id: id,
        workflow_id: flowId,
        started_at: units.epochSeconds(startedAt),
      })),
      total,
      timestamp: units.epochSeconds(new Date()),
    }
  }

  routes.get(
    `${orchestraPrefix}/live-stream`,
    {
      config: { access: access.seesFlows },
      schema: {
        operationId: 'followOrchestra',
        summary: 'Stream platform events',
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
            description: 'An event stream. It ends when either side closes it.',
            content: { 'text/event-stream': { schema: Type.String() } },
          },
        },
      },
    },
    async (request, reply) => {
      using presence = await watch.join()
      const given = request.headers['last-event-id'] || request.query.last_event_id || undefined
      const requested = given === undefined ? undefined : Math.floor(Number(given))
      const gap = requested === undefined ? undefined : await gapAfter(requested, presence.since)
      const after = requested === undefined || gap !== undefined ? await events.lastId() : requested
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
              snapshotFor(managesAll(request.principal) ? undefined : (request.principal.id ?? anonymousId)),
            // Evaluated for each event: the permissions of the reader can change while it is connected.
            sees: (account) =>
              account === null || account === request.principal.id || managesAll(request.principal),
          }),
      })
    },
  )
}

/** No account has this id: anonymous readers see no executions. */
const anonymousId = '00000000-0000-0000-0000-000000000000'

interface FollowLiveOptions {
  readonly tail: StreamTail
  readonly status: SystemStatus
  readonly events: Pick<Events, 'read'>
  /** The stream starts after this event. */
  readonly after: number
  /** Why events after the requested one are missing; undefined when none are. */
  readonly gap: 'too_old' | 'unknown' | undefined
  /** The current state, for a reader that missed events. */
  readonly snapshot: () => Promise<object>
  /** Whether the reader may see the executions of an account. */
  readonly sees: (account: string | null) => boolean
  readonly signal: AbortSignal
}

/** Events per database read of a reader that is behind. */
const pageSize = 200

/**
 * Yields the events after a cursor, and the system status in between. A reader has a cursor and no queue: it reads new events from
 * the shared tail and older ones from the database. A slow reader therefore costs no more memory than others.
 *
 * Messages that are not stored have the id of the last event, a dot and the time: a reader that resumes from one resumes after that
 * event.
 */
async function* followLive(options: FollowLiveOptions): AsyncGenerator<StreamMessage> {
  const { tail, status, events, sees, signal, gap, snapshot } = options
  let wake: (() => void) | undefined
  const wakeUp = () => wake?.()
  using cleanup = new DisposableStack()
  cleanup.use(await tail.join(wakeUp))
  cleanup.use(await status.join(wakeUp))
  signal.addEventListener('abort', wakeUp, { once: true })
  cleanup.defer(() => signal.removeEventListener('abort', wakeUp))
  let cursor = options.after
  let statusAtMs = 0

  async function reset(reason: string): Promise<StreamMessage> {
    const data = { reason, ...(await snapshot()) }
    return { id: `${cursor}.${Date.now()}`, event: 'stream_reset', data }
  }

  if (gap !== undefined) yield await reset(gap)

  while (!signal.aborted) {
    const { position } = tail
    if (cursor < tail.floor) {
      const page = await events.read({ after: cursor, limit: pageSize, types: streamEventTypes })
      if (page.truncated) {
        // The reader was so slow that its next events are no longer stored.
        cursor = position
        yield await reset('too_slow')
        continue
      }
      for (const stored of page.events) {
        const entry = toStreamEntry(stored)
        if (entry !== undefined && sees(entry.account)) yield messageOf(entry)
      }
      const last = page.events.at(-1)?.id ?? cursor
      cursor = page.events.length < pageSize ? Math.max(last, position) : last
      continue
    }
    for (const entry of tail.after(cursor)) if (sees(entry.account)) yield messageOf(entry)
    cursor = Math.max(cursor, position)
    const { last } = status
    if (last !== undefined && last.atMs !== statusAtMs) {
      statusAtMs = last.atMs
      yield { id: `${cursor}.${last.atMs}`, event: 'status_update', json: last.json }
      continue
    }
    if (tail.position > cursor || signal.aborted) continue
    const { promise, resolve } = Promise.withResolvers<void>()
    wake = resolve
    await promise
    wake = undefined
  }
}

function messageOf({ id, event, json }: StreamEntry): StreamMessage {
  return { id, event, json }
}

/** The load of the platform, read once for all stream readers of this process. */
interface SystemStatus {
  /** The last reading; undefined before the first. */
  readonly last: { readonly atMs: number; readonly json: string } | undefined
  /** Invokes the callback after each reading. Resolves after the first reading. */
  join(wake: () => void): Promise<Disposable>
}

interface SystemStatusOptions {
  readonly database: Pick<Database, 'query'>
  readonly log: Pick<Logger, 'warn' | 'debug'>
  readonly everyMs: number
}

const countStatement = `
  select
    (select count(*) from engine_executions where work_state = 'running')::integer as active,
    (
      select count(*) from engine_executions where work_state = 'queued' and approval is distinct from 'pending'
    )::integer as queued
`

function createSystemStatus({ database, log, everyMs }: SystemStatusOptions): SystemStatus {
  const watchers = new Set<() => void>()
  let last: SystemStatus['last']
  let reading: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  async function read(): Promise<void> {
    const [counts] = await database.query<{ active: number; queued: number }>(countStatement)
    const atMs = Date.now()
    const status = {
      active_workflows: counts?.active ?? 0,
      queue_size: counts?.queued ?? 0,
      system_load: systemLoad(),
      timestamp: Math.floor(atMs / 1000),
    }
    last = { atMs, json: JSON.stringify(status) }
    for (const wake of watchers) wake()
  }

  function readAgain(): void {
    read().catch((error: unknown) => log.debug({ err: error }, 'reading the system status failed'))
  }

  function leave(wake: () => void): void {
    watchers.delete(wake)
    if (watchers.size > 0) return
    clearInterval(timer)
    reading = undefined
    last = undefined
  }

  return {
    get last() {
      return last
    },
    async join(wake) {
      watchers.add(wake)
      if (watchers.size === 1) timer = setInterval(readAgain, everyMs)
      reading ??= read()
      try {
        await reading
      } catch (error) {
        leave(wake)
        reading = undefined
        throw error
      }
      return { [Symbol.dispose]: () => leave(wake) }
    },
  }
}

/** The load average of the last minute in percent of the processors; above 100, processes wait. */
function systemLoad(): number {
  return Math.round(((loadavg()[0] ?? 0) / availableParallelism()) * 10_000) / 100
}
