import { CompiledQuery } from 'kysely'
import type { Database } from '#kernel/database'
import type { EventTransaction } from '#kernel/events'
import type { Logger } from '#kernel/telemetry'

/** What a small table holds, kept in memory until a replica tells that it changed. */
export interface Remembered<Value> extends AsyncDisposable {
  /** The same object until something changes. */
  read(): Promise<Value>
  /** Part of a transaction that changes the table: its commit tells all replicas. */
  tellWithin(transaction: EventTransaction): Promise<void>
  /** Says here what was just committed here, without waiting for the message to come back. */
  readAgain(): Promise<Value>
}

export interface RememberOptions<Value> {
  readonly database: Database
  /** What replicas hear of a change by. */
  readonly channel: string
  readonly load: () => Promise<Value>
  readonly log: Logger
}

export async function remember<Value>(options: RememberOptions<Value>): Promise<Remembered<Value>> {
  const { database, channel, load, log } = options
  let known: { readonly value: Value } | undefined
  let loading: Promise<Value> | undefined
  /** Counts the news, so that a look that began before the last of them is not taken for all there is. */
  let news = 0

  async function loadAll(): Promise<Value> {
    try {
      for (;;) {
        const newsBefore = news
        const value = await load()
        if (newsBefore !== news) continue
        known = { value }
        return value
      }
    } finally {
      loading = undefined
    }
  }

  function readAgain(): Promise<Value> {
    news += 1
    return (loading ??= loadAll())
  }

  function heard(): void {
    // What nobody has asked for yet is read when somebody does.
    if (known === undefined && loading === undefined) return
    readAgain().catch((error: unknown) => {
      known = undefined
      log.warn({ err: error, channel }, 'could not read what changed; it is read again when it is needed')
    })
  }

  const listening = await database.listen(channel, heard, heard)
  return {
    read: async () => (known === undefined ? await (loading ??= loadAll()) : known.value),
    async tellWithin(transaction) {
      await transaction.executeQuery(CompiledQuery.raw("select pg_notify($1, '')", [channel]))
    },
    readAgain,
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  }
}
