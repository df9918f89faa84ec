import type { Database } from '#kernel/database'

/**
 * Two parts of a `with`, the second named `paid`, that move the amounts of `rows` (account_id, day, spent, reserved) from
 * reserved to spent. Days are locked in one order to avoid deadlocks between replicas.
 */
export function payFrom(rows: string): string {
  return `
    locked as (
      select spend.account_id, spend.day, due.spent, due.reserved
      from model_spend_days as spend
      join (
        select account_id, day, sum(spent)::bigint as spent, sum(reserved)::bigint as reserved
        from ${rows}
        group by account_id, day
      ) as due using (account_id, day)
      order by spend.account_id, spend.day
      for update of spend
    ),
    paid as (
      update model_spend_days as spend set
        spent = greatest(0, spend.spent + locked.spent),
        reserved = greatest(0, spend.reserved - locked.reserved)
      from locked
      where spend.account_id = locked.account_id and spend.day = locked.day
    )
  `
}

const deleteStatement = `
  with deleted as (
    delete from model_spend_days
    where day < (now() at time zone 'utc')::date - 7 and reserved = 0
    returning day
  )
  select count(*) as count from deleted
`

/** Deletes the spend of days older than a week. Usage keeps its own totals. Returns the number of deleted rows. */
export async function deleteOldSpend(database: Database): Promise<number> {
  const [row] = await database.query<{ count: number }>(deleteStatement)
  return row?.count ?? 0
}
