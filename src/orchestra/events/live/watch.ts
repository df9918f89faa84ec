import { randomUUID } from 'node:crypto'
import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import type { Logger } from '#kernel/telemetry'
import type { WorkerDirectory } from '#kernel/work'

/** Whether somebody watches the platform at work. What nobody looks at need not be told. */
export interface Watch extends AsyncDisposable {
  /** As all processes together see it. Quick: it is asked with every commit of an execution. */
  isWatched(): boolean
  /** Somebody watches in this process, until the seat is given back. Resolves when what happens from now on is told. */
  join(): Promise<WatchSeat>
}

interface WatchSeat extends Disposable {
  /** The id of an event: what happened after it has been told without a gap. */
  readonly since: number
}

interface WatchOptions {
  readonly database: Pick<Database, 'query' | 'listen'>
  readonly events: Pick<Events, 'lastId'>
  readonly log: Logger
  /** Those who run executions: a watch has begun when each of them knows. */
  readonly workers: Pick<WorkerDirectory, 'list'>
  /** Whether this process is one of them. */
  readonly works: boolean
  /** How long it goes on being told after the last one has left, so that whoever comes back has missed nothing. */
  readonly keepMs?: number
  readonly renewMs?: number
}

const channel = 'orchestra_watchers'
const answers = 'orchestra_watchers_heard'

/** Long enough for a notification to go round. One that died and is not missed yet keeps nobody waiting longer. */
const mostWaitMs = 1000

/** A watch that has ended begins anew, and what happened in between was not told. */
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
 * The watch of all processes: one row says until when somebody watches.
 *
 * | in this process             | then                                                                                |
 * |-----------------------------|-------------------------------------------------------------------------------------|
 * | the first seat is taken     | the row is renewed, everybody notified, and waited for those who work to answer     |
 * | seats are taken             | renewed every minute                                                                |
 * | the last seat is given back | nothing; ten minutes later the watch has ended                                      |
 */
export async function openWatch(options: WatchOptions): Promise<Watch> {
  const { database, events, log, workers, works, keepMs = 600_000, renewMs = 60_000 } = options
  const self = randomUUID()
  let watchedUntilMs = 0
  let seats = 0
  let since = 0
  let beginning: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  /** Told of each process that works and knows of the watch. */
  const waiting = new Set<(processId: string) => void>()

  /** Ours lasts a little longer than the row says, never shorter: nothing that is wanted stays untold. */
  function extend(leftMs: number): void {
    watchedUntilMs = Math.max(watchedUntilMs, performance.now() + leftMs)
  }

  async function hear(leftMs: number): Promise<void> {
    extend(leftMs)
    if (works) await database.query('select pg_notify($1, $2)', [answers, self])
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
    const patience = setTimeout(resolve, mostWaitMs)
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
    seats -= 1
    if (seats > 0) return
    clearInterval(timer)
    beginning = undefined
  }

  const forgiving = (work: Promise<void>) =>
    work.catch((error: unknown) => log.warn({ err: error }, 'it could not be noted that somebody watches'))

  await using opening = new AsyncDisposableStack()
  opening.use(
    await database.listen(
      channel,
      (leftMs) => void forgiving(hear(Number(leftMs))),
      () => void forgiving(readAgain()),
    ),
  )
  opening.use(
    await database.listen(answers, (processId) => {
      for (const note of waiting) note(processId)
    }),
  )
  await readAgain()
  const opened = opening.move()
  return {
    isWatched: () => performance.now() < watchedUntilMs,

    async join() {
      seats += 1
      if (seats === 1) timer = setInterval(() => void forgiving(renew()), renewMs)
      beginning ??= begin()
      try {
        await beginning
      } catch (error) {
        beginning = undefined
        leave()
        throw error
      }
      let held = true
      return {
        since,
        [Symbol.dispose]() {
          if (held) leave()
          held = false
        },
      }
    },

    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await opened.disposeAsync()
    },
  }
}
