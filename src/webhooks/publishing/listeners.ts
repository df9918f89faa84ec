import type { Database } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'

/** The union of the event subscriptions of all webhooks of a subject. */
export interface Wanted {
  readonly events: ReadonlySet<string>
  readonly fullContext: boolean
  readonly intermediateResults: boolean
}

interface Subject {
  readonly subject: string
  readonly accountId: string
}

/** Reports which webhooks would receive an event, so that publishers can skip building events without a receiver. */
export interface Listeners {
  /** Whether the account has an active subscription. */
  hasAny(executor: Executor, accountId: string): Promise<boolean>
  /**
   * Invokes the callback with the account of each subscription that becomes active in any process, and with undefined after a lost
   * connection, when some may have been missed.
   */
  onNew(
    database: Pick<Database, 'listen'>,
    callback: (accountId: string | undefined) => void,
  ): Promise<AsyncDisposable>
  /** By subject; subjects without a webhook are absent. Ignores filters. */
  wantedOf(executor: Executor, subjects: readonly Subject[]): Promise<ReadonlyMap<string, Wanted>>
  /** Whether a subscription of the account was sent this event about this subject within the time. */
  wasPublishedTo(
    executor: Executor,
    published: Subject & { readonly event: string; readonly withinMs: number },
  ): Promise<boolean>
}

const channel = 'webhook_listeners'

/** SQL that notifies all processes of an account's newly active subscription when the transaction commits. */
export const announceListener = (accountId: string) => `pg_notify('${channel}', ${accountId}::text)`

interface WantedRow {
  readonly subject: string
  readonly events: readonly string[]
  readonly fullContext: boolean
  readonly intermediateResults: boolean
}

const wantedStatement = `
  with requested as (
    select * from unnest($1::text[], $2::uuid[]) as entry (subject, account_id)
  ),
  listening as (
    select requested.subject, events, format
    from requested join webhooks as webhook on webhook.account_id = requested.account_id
    where kind = 'subscription' and status = 'active'
    union all
    select requested.subject, events, format
    from requested join webhooks as webhook on webhook.subject = requested.subject and webhook.account_id = requested.account_id
    where kind = 'callback' and status = 'active'
  )
  select subject, array_agg(distinct event) as events,
    bool_or((format ->> 'include_full_context')::boolean) as "fullContext",
    bool_or((format ->> 'include_intermediate_results')::boolean) as "intermediateResults"
  from listening cross join unnest(events) as event
  group by subject
`

export const listeners: Listeners = {
  async hasAny(executor, accountId) {
    const rows = await runStatement(
      executor,
      `select 1 from webhooks where account_id = $1 and kind = 'subscription' and status = 'active' limit 1`,
      [accountId],
    )
    return rows.length > 0
  },

  onNew: (database, callback) => database.listen(channel, callback, () => callback(undefined)),

  async wantedOf(executor, subjects) {
    const rows = await runStatement<WantedRow>(executor, wantedStatement, [
      subjects.map(({ subject }) => subject),
      subjects.map(({ accountId }) => accountId),
    ])
    return new Map(
      rows.map(({ subject, events, ...more }) => [subject, { ...more, events: new Set(events) }]),
    )
  },

  async wasPublishedTo(executor, { accountId, subject, event, withinMs }) {
    const rows = await runStatement(
      executor,
      `
        select 1
        from webhooks as webhook
        join webhook_deliveries as delivery on delivery.webhook_id = webhook.id and delivery.subject = $2
        where webhook.account_id = $1 and webhook.kind = 'subscription' and delivery.event = $3
          and delivery.created_at > now() - $4 * interval '1 millisecond'
        limit 1
      `,
      [accountId, subject, event, withinMs],
    )
    return rows.length > 0
  },
}
