import { storableJson } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'
import { lanes, reopenLane } from '../delivery/lanes.ts'

/** Something that happened, for whoever subscribed to it. */
export interface WebhookEvent {
  readonly event: string
  /** What it is about, such as the id of an execution. What is told about one subject is told in order. */
  readonly subject: string
  /** Whose it is. Nobody else hears of it. */
  readonly accountId: string
  /** Default: now. */
  readonly at?: Date
  readonly data: Readonly<Record<string, unknown>>
  /** What filters look at. An event that has not what a filter asks for does not pass. */
  readonly facts?: {
    readonly flowId?: string | undefined
    /** Dollars. */
    readonly cost?: number | undefined
    readonly priority?: string | undefined
  }
  /** Added as `full_context` for those who asked for it. */
  readonly fullContext?: unknown
  /** Added as `intermediate_results` for those who asked for it. */
  readonly intermediateResults?: unknown
}

const publishStatement = `
  with published as materialized (
    select position, fact ->> 'event' as event, fact ->> 'subject' as subject, (fact ->> 'account_id')::uuid as account_id,
      (fact ->> 'at')::timestamptz as at, fact -> 'data' as data, fact ->> 'flow_id' as flow_id,
      (fact ->> 'cost')::numeric as cost, fact ->> 'priority' as priority,
      fact -> 'full_context' as full_context, fact -> 'intermediate_results' as intermediate_results
    from jsonb_array_elements($1::jsonb) with ordinality as given (fact, position)
  ),
  listening as (
    select position, webhook.id, events, filters, format
    from published join webhooks as webhook on webhook.account_id = published.account_id
    where kind = 'subscription' and status = 'active'
    union all
    select position, webhook.id, events, filters, format
    from published join webhooks as webhook on webhook.subject = published.subject
    where kind = 'callback' and status = 'active' and webhook.account_id = published.account_id
  ),
  matched as materialized (
    select position, listening.id as webhook_id, subject, event, at,
      data
        || case when (format ->> 'include_full_context')::boolean and full_context is not null
          then jsonb_build_object('full_context', full_context) else '{}' end
        || case when (format ->> 'include_intermediate_results')::boolean and intermediate_results is not null
          then jsonb_build_object('intermediate_results', intermediate_results) else '{}' end as data
    from published join listening using (position)
    where event = any(events)
      and (not filters ? 'flow_ids' or coalesce(filters -> 'flow_ids' ? flow_id, false))
      and (not filters ? 'min_cost' or coalesce(cost >= (filters ->> 'min_cost')::numeric, false))
      and (not filters ? 'priority' or coalesce(filters -> 'priority' ? priority, false))
  ),
  added as (
    insert into webhook_deliveries (webhook_id, subject, event, occurred_at, content)
    select webhook_id, subject, event, at, jsonb_build_object('data', data) from matched
    order by position
    returning 1
  ),
  opened as (
    insert into webhook_lanes as lane (webhook_id, subject)
    select distinct webhook_id, subject from matched
    order by webhook_id, subject
    ${reopenLane}
  )
  select count(*)::integer as count from added
`

/**
 * Puts what happened on its way to every active webhook of the account that wants it. Runs in the transaction of what happened: either
 * both are there or neither. Answers how many deliveries that makes.
 */
export async function publish(executor: Executor, events: readonly WebhookEvent[]): Promise<number> {
  if (events.length === 0) return 0
  const now = new Date()
  const rows = events.map(({ event, subject, accountId, at, data, facts, ...more }) => ({
    event,
    subject,
    account_id: accountId,
    at: at ?? now,
    data,
    flow_id: facts?.flowId,
    cost: facts?.cost,
    priority: facts?.priority,
    full_context: more.fullContext,
    intermediate_results: more.intermediateResults,
  }))
  const [answer] = await runStatement<{ count: number }>(executor, publishStatement, [storableJson(rows)])
  const count = answer?.count ?? 0
  if (count > 0) await lanes.wake(executor)
  return count
}
