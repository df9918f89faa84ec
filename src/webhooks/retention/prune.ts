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

/** Who adds to a finished lane changes it first, so one that is still finished when it is locked has nobody adding to it. */
const pruneLanes = `
  delete from webhook_lanes where id in (
    select id from webhook_lanes as lane
    where work_state = 'finished' and not exists (
      select from webhook_deliveries as delivery
      where delivery.webhook_id = lane.webhook_id and delivery.subject = lane.subject
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

/** Forgets deliveries that were over long ago, and what only they needed. */
export function createPruneTask(
  database: Pick<Database, 'query'>,
  { retentionMs }: { readonly retentionMs: number },
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
      await prune(pruneDeliveries, [retentionMs], signal)
      await prune(pruneLanes, [], signal)
      await prune(pruneCallbacks, [retentionMs], signal)
    },
  }
}
