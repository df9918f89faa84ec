import { CompiledQuery } from 'kysely'
import type { Database } from '#kernel/database'
import type { EventTransaction } from '#kernel/events'
import type { Logger } from '#kernel/telemetry'

/** The content of a small table, cached until a replica notifies of a change. */
export interface CachedTable<Value> extends AsyncDisposable {
  /** The same object until the table changes. */
  read(): Promise<Value>
  /** Called in a transaction that changes the table: its commit notifies all replicas. */
  notifyWithin(transaction: EventTransaction): Promise<void>
  /** Loads the table after a commit of this process, without waiting for the notification. */
  reload(): Promise<Value>
}

export interface CachedTableOptions<Value> {
  readonly database: Database
  /** The PostgreSQL notification channel. */
  readonly channel: string
  readonly load: () => Promise<Value>
  readonly log: Logger
  /** Called when the table changed, before it is loaded again. */
  readonly onChange?: (() => void) | undefined
}

export async function openCachedTable<Value>(
  options: CachedTableOptions<Value>,
): Promise<CachedTable<Value>> {
  const { database, channel, load, log, onChange } = options
  let known: { readonly value: Value } | undefined
  let loading: Promise<Value> | undefined
  /** Number of changes, by which a load that started before the last change is recognised as stale. */
  let changes = 0

  async function loadAll(): Promise<Value> {
    try {
      for (;;) {
        const changesBefore = changes
        const value = await load()
        if (changesBefore !== changes) continue
        known = { value }
        return value
      }
    } finally {
      loading = undefined
    }
  }

  function reload(): Promise<Value> {
    changes += 1
    onChange?.()
    return (loading ??= loadAll())
  }

  function onNotification(): void {
    // A table that was never read is loaded by its first reader.
    if (known === undefined && loading === undefined) return onChange?.()
    reload().catch((error: unknown) => {
      known = undefined
      log.warn({ err: error, channel }, 'reloading a changed table failed; the next read loads it')
    })
  }

  const listening = await database.listen(channel, onNotification, onNotification)
  return {
    read: async () => (known === undefined ? await (loading ??= loadAll()) : known.value),
    async notifyWithin(transaction) {
      await transaction.executeQuery(CompiledQuery.raw("select pg_notify($1, '')", [channel]))
    },
    reload,
    [Symbol.asyncDispose]: () => listening[Symbol.asyncDispose](),
  }
}
