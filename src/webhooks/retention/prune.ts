import type { Database } from '#kernel/database'
import type { RecurringTask } from '#kernel/work'

const chunkSize = 1000

const pruneDeliveries = `
  delete from webhook_deliveries where id in (
    select id from webhook_deliveries
    where state <> 'pending' and finished_at < now() - $1 * interval '1 millisecond'
    order by finished_at
    limit ${chunkSize}
    for update skip locked
  )
  returning 1
`

/** A publisher queues a finished partition before it adds to it, so a partition that is locked and still finished has no publisher. */
const prunePartitions = `
  delete from webhook_lanes where id in (
    select id from webhook_lanes as partition
    where work_state = 'finished' and not exists (
      select from webhook_deliveries as delivery
      where delivery.webhook_id = partition.webhook_id and delivery.subject = partition.subject
    )
    limit ${chunkSize}
    for update skip locked
  )
  returning 1
`

const pruneCallbacks = `
  delete from webhooks where id in (
    select id from webhooks as callback
    where kind = 'callback' and created_at < now() - $1 * interval '1 millisecond'
      and not exists (select from webhook_deliveries as delivery where delivery.webhook_id = callback.id)
    limit ${chunkSize}
    for update skip locked
  )
  returning 1
`

/** Deletes finished deliveries after their retention, then the partitions and callbacks without deliveries. */
export function createPruneTask(
  database: Pick<Database, 'query'>,
  settings: { readonly retentionMs: number },
): RecurringTask {
  async function prune(statement: string, values: readonly unknown[], signal: AbortSignal): Promise<void> {
    for (;;) {
      signal.throwIfAborted()
      if ((await database.query(statement, values)).length < chunkSize) return
    }
  }

  return {
    name: 'webhooks.prune',
    everyMs: 10 * 60_000,
    async run(signal) {
      await prune(pruneDeliveries, [settings.retentionMs], signal)
      await prune(prunePartitions, [], signal)
      await prune(pruneCallbacks, [settings.retentionMs], signal)
    },
  }
}
