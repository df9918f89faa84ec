import { type Executor, runStatement } from '#kernel/work'

/**
 * Claims a publication that may happen once per period: true when no process claimed it within `periodMs`. The claim is part of the
 * publishing transaction, so of several processes one publishes.
 */
export async function claimPublication(executor: Executor, name: string, periodMs: number): Promise<boolean> {
  const rows = await runStatement(
    executor,
    `
      insert into orchestra_told as known (name, told_at) values ($1, now())
      on conflict (name) do update set told_at = now()
      where known.told_at <= now() - $2 * interval '1 millisecond'
      returning 1
    `,
    [name, periodMs],
  )
  return rows.length > 0
}

/** No period is longer than a day. */
export async function deleteOldClaims(executor: Executor): Promise<void> {
  await runStatement(executor, `delete from orchestra_told where told_at < now() - interval '2 days'`, [])
}
