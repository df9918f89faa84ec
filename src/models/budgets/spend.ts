import type { Database } from '#kernel/database'

/**
 * Two parts of a `with`, the second named `paid`, that move the amounts of `rows` (account_id, key_id, at, spent, reserved)
 * from reserved to spent in all scopes of the account and the key at that time. Scopes are locked in one order to avoid deadlocks
 * between replicas.
 */
export function payFrom(rows: string): string {
  return `
    locked as (
      select known.scope, known.period, due.spent, due.reserved
      from model_spend_scopes as known
      join (
        select scope, period, sum(spent)::bigint as spent, sum(reserved)::bigint as reserved
        from ${rows} cross join lateral model_scopes_of(account_id, key_id, at)
        group by scope, period
      ) as due on known.scope = due.scope collate "C" and known.period = due.period collate "C"
      order by known.scope, known.period
      for update of known
    ),
    paid as (
      update model_spend_scopes as known set
        spent = greatest(0, known.spent + locked.spent),
        reserved = greatest(0, known.reserved - locked.reserved)
      from locked
      where known.scope = locked.scope and known.period = locked.period
    )
  `
}

/** Days have ten characters, months seven. Totals are kept. */
const deleteStatement = `
  with deleted as (
    delete from model_spend_scopes
    where reserved = 0 and (
      (length(period) = 10 and period < model_spend_period('day', now() - interval '7 days'))
      or (length(period) = 7 and period < model_spend_period('month', now() - interval '62 days'))
    )
    returning period
  )
  select count(*) as count from deleted
`

/** Deletes the spend of days older than a week and of months older than two. Usage keeps its own totals. Returns the number of deleted rows. */
export async function deleteOldSpend(database: Database): Promise<number> {
  const [row] = await database.query<{ count: number }>(deleteStatement)
  return row?.count ?? 0
}
