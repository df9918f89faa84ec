import { type Executor, runStatement } from '#kernel/work'

/**
 * Whether something may be told now, because nobody has told it for so long. Then it counts as told, in the transaction of the telling: of
 * several processes that want to tell it, one does.
 */
export async function claimTelling(executor: Executor, name: string, everyMs: number): Promise<boolean> {
  const rows = await runStatement(
    executor,
    `
      insert into orchestra_told as known (name, told_at) values ($1, now())
      on conflict (name) do update set told_at = now()
      where known.told_at <= now() - $2 * interval '1 millisecond'
      returning 1
    `,
    [name, everyMs],
  )
  return rows.length > 0
}

/** Nothing is claimed for longer than a day. */
export async function forgetTold(executor: Executor): Promise<void> {
  await runStatement(executor, `delete from orchestra_told where told_at < now() - interval '2 days'`, [])
}
