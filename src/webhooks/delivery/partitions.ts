import { defineQueue, type Executor, runStatement } from '#kernel/work'

export interface PartitionRow {
  readonly id: number
  readonly webhook_id: string
  readonly subject: string
  /** Null: an older program added it. */
  readonly account_id: string | null
}

/** A delivery partition: the deliveries of one webhook about one subject, sent in order. Its table keeps the older name `webhook_lanes`. */
export const partitions = defineQueue<PartitionRow>({ name: 'webhooks', table: 'webhook_lanes', key: 'id' })

/**
 * SQL: the conflict clause of an insert into `webhook_lanes as partition` that goes with a new delivery. The insert locks the row, so a
 * worker that is about to finish the partition sees the new delivery; a partition that has finished is queued again.
 */
export const reopenPartition: string = onPartition(`partition.work_state = 'finished'`)

/** Like `reopenPartition`, and makes a partition that waits for a retry due at once. */
export const expeditePartition: string = onPartition(`partition.work_state <> 'running'`)

function onPartition(isDueNow: string): string {
  return `
    on conflict (webhook_id, subject) do update set
      added = partition.added + 1,
      account_id = excluded.account_id,
      work_state = case when partition.work_state = 'finished' then 'queued' else partition.work_state end,
      work_due_at = case when ${isDueNow} then now() else partition.work_due_at end,
      work_fence = case when partition.work_state = 'finished' then partition.work_fence + 1 else partition.work_fence end,
      work_attempts = case when partition.work_state = 'finished' then 0 else partition.work_attempts end
  `
}

/** SQL: the account of a webhook, for the column `account_id` of its partitions. */
export const accountOf = (webhookId: string) => `(select account_id from webhooks where id = ${webhookId})`

/** Whether the partition has pending deliveries. */
export async function hasPending(
  executor: Executor,
  { webhook_id: webhookId, subject }: PartitionRow,
): Promise<boolean> {
  const rows = await runStatement(
    executor,
    `select 1 from webhook_deliveries where webhook_id = $1 and subject = $2 and state = 'pending' limit 1`,
    [webhookId, subject],
  )
  return rows.length > 0
}
