import { randomUUID } from 'node:crypto'
import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import type { Logger } from '#kernel/telemetry'
import type { WorkerDirectory } from '#kernel/work'

/** Whether live streams are open, in any process. Events for the stream are published only then. */
export interface StreamPresence extends AsyncDisposable {
  /** Whether any process has an open stream. Cheap: it is called with every commit of an execution. */
  hasViewers(): boolean
  /** Registers an open stream of this process until it is disposed. Resolves when all workers publish events. */
  join(): Promise<Presence>
}

interface Presence extends Disposable {
  /** Events after this event id were published without a gap. */
  readonly since: number
}

interface StreamPresenceOptions {
  readonly database: Pick<Database, 'query' | 'listen'>
  readonly events: Pick<Events, 'lastId'>
  readonly log: Logger
  /** The workers, each of which must know of the stream before it begins. */
  readonly workers: Pick<WorkerDirectory, 'list'>
  /** Whether this process has a worker. */
  readonly works: boolean
  /** How long events are published after the last stream closed, so that a client that reconnects misses nothing. */
  readonly keepMs?: number
  readonly renewMs?: number
  /** Enough for a database notification to reach all workers. A worker that died unnoticed delays a stream no longer than this. */
  readonly maxWaitMs?: number
}

const channel = 'orchestra_watchers'
const acknowledgements = 'orchestra_watchers_heard'

/** An expired presence begins anew; events in between were not published. */
const renewStatement = `
  with kept as (
    insert into orchestra_watchers as known (since_id, until)
    values ($1, now() + $2 * interval '1 millisecond')
    on conflict (single) do update set
      since_id = case when known.until > now() then known.since_id else excluded.since_id end,
      until = greatest(known.until, excluded.until)
    returning since_id
  )
  select since_id as since, pg_notify('${channel}', $2::text) from kept
`

const leftStatement = `
  select (extract(epoch from until - now()) * 1000)::double precision as "leftMs" from orchestra_watchers
`

/**
 * One row has the time until which all processes publish events for the stream.
 *
 * | in this process            | then                                                                                 |
 * |-----------------------------|-------------------------------------------------------------------------------------|
 * | the first stream opens     | the row is renewed and all processes notified; the stream waits for the workers' replies |
 * | streams are open           | the row is renewed every minute                                                      |
 * | the last stream closes     | nothing; the presence expires ten minutes later                                      |
 */
export async function openStreamPresence(options: StreamPresenceOptions): Promise<StreamPresence> {
  const { database, events, log, workers, works } = options
  const { keepMs = 600_000, renewMs = 60_000, maxWaitMs = 1000 } = options
  const self = randomUUID()
  let presentUntilMs = 0
  let openStreams = 0
  let since = 0
  let beginning: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  /** Called with the id of each worker process that acknowledged the presence. */
  const waiting = new Set<(processId: string) => void>()

  /** The local end is never before the row's: no wanted event stays unpublished. */
  function extend(leftMs: number): void {
    presentUntilMs = Math.max(presentUntilMs, performance.now() + leftMs)
  }

  async function acknowledge(leftMs: number): Promise<void> {
    extend(leftMs)
    if (works) await database.query('select pg_notify($1, $2)', [acknowledgements, self])
  }

  async function readAgain(): Promise<void> {
    const [row] = await database.query<{ leftMs: number }>(leftStatement)
    if (row !== undefined) extend(row.leftMs)
  }

  async function renew(): Promise<void> {
    const [row] = await database.query<{ since: number }>(renewStatement, [await events.lastId(), keepMs])
    since = row?.since ?? since
  }

  async function begin(): Promise<void> {
    const working = (await workers.list()).filter(({ alive }) => alive).length
    const { promise, resolve } = Promise.withResolvers<void>()
    const patience = setTimeout(resolve, maxWaitMs)
    const known = new Set<string>()
    const note = (processId: string) => {
      if (known.add(processId).size >= working) resolve()
    }
    waiting.add(note)
    try {
      await renew()
      extend(keepMs)
      if (working > 0) await promise
    } finally {
      waiting.delete(note)
      clearTimeout(patience)
    }
  }

  function leave(): void {
    openStreams -= 1
    if (openStreams > 0) return
    clearInterval(timer)
    beginning = undefined
  }

  const logFailure = (work: Promise<void>) =>
    work.catch((error: unknown) =>
      log.warn({ err: error }, 'renewing the presence of live streams failed, retrying'),
    )

  await using opening = new AsyncDisposableStack()
  opening.use(
    await database.listen(
      channel,
      (leftMs) => void logFailure(acknowledge(Number(leftMs))),
      () => void logFailure(readAgain()),
    ),
  )
  opening.use(
    await database.listen(acknowledgements, (processId) => {
      for (const note of waiting) note(processId)
    }),
  )
  await readAgain()
  const opened = opening.move()
  return {
    hasViewers: () => performance.now() < presentUntilMs,

    async join() {
      openStreams += 1
      if (openStreams === 1) timer = setInterval(() => void logFailure(renew()), renewMs)
      beginning ??= begin()
      try {
        await beginning
      } catch (error) {
        beginning = undefined
        leave()
        throw error
      }
      let isOpen = true
      return {
        since,
        [Symbol.dispose]() {
          if (isOpen) leave()
          isOpen = false
        },
      }
    },

    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await opened.disposeAsync()
    },
  }
}
