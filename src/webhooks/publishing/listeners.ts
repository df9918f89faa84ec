import type { Database } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'

/** What all who listen to a subject want of it together. */
export interface Wanted {
  readonly events: ReadonlySet<string>
  readonly fullContext: boolean
  readonly intermediateResults: boolean
}

interface Subject {
  readonly subject: string
  readonly accountId: string
}

/** Who listens: for publishers that would rather not make what nobody wants to hear. */
export interface Listeners {
  /** Whether the account has an active subscription. */
  hasAny(executor: Executor, accountId: string): Promise<boolean>
  /** Calls back with the account of a subscription that has become active, in any process; without one when some may have been missed. */
  onNew(
    database: Pick<Database, 'listen'>,
    hear: (accountId: string | undefined) => void,
  ): Promise<AsyncDisposable>
  /** By subject; one that nobody listens to is not there. Filters are not looked at. */
  wantedOf(executor: Executor, subjects: readonly Subject[]): Promise<ReadonlyMap<string, Wanted>>
  /** Whether a subscription of the account was sent this event about this subject within the time. */
  wasTold(
    executor: Executor,
    told: Subject & { readonly event: string; readonly withinMs: number },
  ): Promise<boolean>
}

const channel = 'webhook_listeners'

/** SQL that tells every process of an account with an active subscription more, once the transaction commits. */
export const announceListener = (accountId: string) => `pg_notify('${channel}', ${accountId}::text)`

interface WantedRow {
  readonly subject: string
  readonly events: readonly string[]
  readonly fullContext: boolean
  readonly intermediateResults: boolean
}

const wantedStatement = `
  with about as (
    select * from unnest($1::text[], $2::uuid[]) as it (subject, account_id)
  ),
  listening as (
    select about.subject, events, format
    from about join webhooks as webhook on webhook.account_id = about.account_id
    where kind = 'subscription' and status = 'active'
    union all
    select about.subject, events, format
    from about join webhooks as webhook on webhook.subject = about.subject and webhook.account_id = about.account_id
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

  onNew: (database, hear) => database.listen(channel, hear, () => hear(undefined)),

  async wantedOf(executor, subjects) {
    const rows = await runStatement<WantedRow>(executor, wantedStatement, [
      subjects.map(({ subject }) => subject),
      subjects.map(({ accountId }) => accountId),
    ])
    return new Map(
      rows.map(({ subject, events, ...more }) => [subject, { ...more, events: new Set(events) }]),
    )
  },

  async wasTold(executor, { accountId, subject, event, withinMs }) {
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
