import type { Database } from '#kernel/database'
import type { Events } from '#kernel/events'
import type { Logger } from '#kernel/telemetry'

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
  /** How long it goes on being told after the last one has left, so that whoever comes back has missed nothing. */
  readonly keepMs?: number
  readonly renewMs?: number
}

const channel = 'orchestra_watchers'

/** Long enough for a notification to go round, and no reason to keep a watcher waiting longer. */
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
 * | the first seat is taken     | the row is renewed, and everybody notified; it is waited until that has come back  |
 * | seats are taken             | renewed every minute                                                                |
 * | the last seat is given back | nothing; ten minutes later the watch has ended                                      |
 */
export async function openWatch(options: WatchOptions): Promise<Watch> {
  const { database, events, log, keepMs = 600_000, renewMs = 60_000 } = options
  let watchedUntilMs = 0
  let seats = 0
  let since = 0
  let beginning: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  const heard = new Set<() => void>()

  /** Ours lasts a little longer than the row says, never shorter: nothing that is wanted stays untold. */
  function extend(leftMs: number): void {
    watchedUntilMs = Math.max(watchedUntilMs, performance.now() + leftMs)
  }

  function hear(leftMs: number): void {
    extend(leftMs)
    for (const resolve of heard) resolve()
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
    const { promise, resolve } = Promise.withResolvers<void>()
    const patience = setTimeout(resolve, mostWaitMs)
    heard.add(resolve)
    try {
      await renew()
      extend(keepMs)
      await promise
    } finally {
      heard.delete(resolve)
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

  const subscription = await database.listen(
    channel,
    (leftMs) => hear(Number(leftMs)),
    () => void forgiving(readAgain()),
  )
  await readAgain()
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
      await subscription[Symbol.asyncDispose]()
    },
  }
}
