import type { Database } from '#kernel/database'
import type { StoredEvent } from '#kernel/events'
import { type Claim, defineQueue, type Executor, runStatement } from '#kernel/work'
import { endEventTypes } from './event-types.ts'

export interface FollowerRow {
  readonly account_id: string
  /** The last event that the triggers have handled. */
  readonly position: number
  /** Of the event after the position, the last trigger it was handled for; null: it was not begun. */
  readonly last_trigger: string | null
  /** The last event that concerns them. */
  readonly last_event: number
}

/** How far the events of an account are handled. */
export interface Position {
  readonly position: number
  readonly lastTrigger: string | null
}

/** A follower reads the event log for the event triggers of one account. One worker at a time has it, so that an account has one turn. */
export const followers = defineQueue<FollowerRow>({
  name: 'triggers',
  table: 'trigger_followers',
  key: 'account_id',
})

/** A follower without open events begins before the first event that concerns it: what is between concerns others. */
const wakeStatement = `
  with event as (
    select * from unnest($1::text[], $2::text[], $3::bigint[], $4::bigint[]) as event (type, account, first, last)
  ),
  following as (
    select account_id, settings -> 'events' as types from triggers where kind = 'event' and enabled
  ),
  concerned as (
    select following.account_id, event.first, event.last
    from event join following on following.account_id::text = event.account and following.types ? event.type
    where event.type = any($5)
    union all
    select following.account_id, event.first, event.last
    from event join following on following.types ? event.type
    where event.type <> all($5)
  )
  insert into trigger_followers as follower (account_id, position, last_event)
  select account_id, min(first) - 1, max(last) from concerned group by account_id order by account_id
  on conflict (account_id) do update set
    position = case when follower.position < follower.last_event then follower.position else excluded.position end,
    last_trigger = case when follower.position < follower.last_event then follower.last_trigger end,
    last_event = excluded.last_event,
    work_state = case when follower.work_state = 'finished' then 'queued' else follower.work_state end,
    work_due_at = case follower.work_state
      when 'running' then follower.work_due_at
      when 'queued' then least(follower.work_due_at, now())
      else now()
    end,
    work_fence = follower.work_fence + (follower.work_state = 'finished')::integer,
    work_attempts = case when follower.work_state = 'finished' then 0 else follower.work_attempts end
`

/** Wakes the followers of all accounts with triggers for these events. Call it in the transaction that moves the cursor. */
export async function wakeFollowers(executor: Executor, events: readonly StoredEvent[]): Promise<void> {
  const groups = [...Map.groupBy(events, ({ type, account }) => JSON.stringify([type, account])).values()]
  await runStatement(executor, wakeStatement, [
    groups.map(([event]) => event?.type),
    groups.map(([event]) => event?.account),
    groups.map((group) => group[0]?.id),
    groups.map((group) => group.at(-1)?.id),
    [...endEventTypes],
  ])
  await followers.wake(executor)
}

/**
 * | at the end of a turn                     | the follower                                  |
 * |------------------------------------------|-----------------------------------------------|
 * | events are open, or came during the turn | is due again at once, after the others        |
 * | triggers have delayed events             | is due at the time of the first of them       |
 * | neither                                  | finishes                                      |
 *
 * The update locks the row, so that an event which concerns the follower is either seen here or wakes it.
 */
export async function endTurn(
  database: Pick<Database, 'transaction'>,
  claim: Claim<FollowerRow>,
  { position, lastTrigger }: Position,
): Promise<void> {
  await database.transaction(async (transaction) => {
    await followers.update(transaction, claim, { position, last_trigger: lastTrigger })
    const [next] = await runStatement<{ delayMs: number | null }>(
      transaction,
      `
        select case when position < last_event then 0 else (
          select extract(epoch from min(delayed_until) - clock_timestamp()) * 1000
          from triggers
          where account_id = follower.account_id and delayed_until is not null
        ) end::float8 as "delayMs"
        from trigger_followers as follower
        where account_id = $1
      `,
      [claim.key],
    )
    const delayMs = next?.delayMs ?? null
    if (delayMs === null) await followers.finish(transaction, claim)
    else await followers.release(transaction, claim, { delayMs: Math.max(0, delayMs), attempts: 0 })
  })
}

/** Deletes the followers that have nothing to do. The next event that concerns an account adds its follower again. */
export async function deleteIdleFollowers(database: Pick<Database, 'query'>): Promise<void> {
  await database.query(`delete from trigger_followers where work_state = 'finished'`)
}
