import { defineQueue, type Executor, runStatement } from '#kernel/work'

export interface LaneRow {
  readonly id: number
  readonly webhook_id: string
  readonly subject: string
}

/** What a webhook is to be told about one subject, in order. */
export const lanes = defineQueue<LaneRow>({ name: 'webhooks', table: 'webhook_lanes', key: 'id' })

/**
 * The end of an insert into `webhook_lanes as lane`, for whoever has added a delivery. The row is locked either way, so a worker that
 * is about to end the lane sees what was added, or has ended it before, and then the lane begins anew.
 */
export const reopenLane: string = onLane(`lane.work_state = 'finished'`)

/** The same for who wants it now: a lane that waits to try something again looks at once what it holds. */
export const hurryLane: string = onLane(`lane.work_state <> 'running'`)

function onLane(isDueNow: string): string {
  return `
    on conflict (webhook_id, subject) do update set
      added = lane.added + 1,
      work_state = case when lane.work_state = 'finished' then 'queued' else lane.work_state end,
      work_due_at = case when ${isDueNow} then now() else lane.work_due_at end,
      work_fence = case when lane.work_state = 'finished' then lane.work_fence + 1 else lane.work_fence end,
      work_attempts = case when lane.work_state = 'finished' then 0 else lane.work_attempts end
  `
}

/** Whether something in the lane is not over yet. */
export async function holdsMore(
  executor: Executor,
  { webhook_id: webhookId, subject }: LaneRow,
): Promise<boolean> {
  const rows = await runStatement(
    executor,
    `select 1 from webhook_deliveries where webhook_id = $1 and subject = $2 and state = 'pending' limit 1`,
    [webhookId, subject],
  )
  return rows.length > 0
}
