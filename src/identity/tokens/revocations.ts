import { CompiledQuery } from 'kysely'
import type { Database } from '#kernel/database'
import type { EventTransaction } from '#kernel/events'
import { longestAccessTokenSeconds } from './lifetimes.ts'

/**
 * Access tokens prove themselves, so taking one back means remembering its grant until the token would have expired.
 * Every replica keeps the whole list in memory; it holds an hour of revocations, seldom more than a few hundred.
 */
export interface Revocations {
  has(id: string): boolean
  /** Stores it within a transaction. Call `add` after the commit, so that it holds here at once. */
  storeWithin(transaction: EventTransaction, ids: readonly string[]): Promise<void>
  store(id: string): Promise<void>
  add(id: string): void
  reloadAll(): Promise<void>
  forgetOld(): Promise<number>
}

const storeStatement = `
  insert into identity_revocations (id, forget_at)
  select id, now() + $2 * interval '1 second' from unnest($1::text[]) as id
  on conflict (id) do update set forget_at = excluded.forget_at
`

const keptSeconds = longestAccessTokenSeconds + 300

export function createRevocations({
  database,
  now = Date.now,
}: {
  readonly database: Database
  readonly now?: () => number
}): Revocations {
  const forgetAt = new Map<string, number>()

  function add(id: string): void {
    dropForgotten()
    forgetAt.delete(id)
    forgetAt.set(id, now() + keptSeconds * 1000)
  }

  /** They stand in the order they were added, so the first that is still needed ends the look. */
  function dropForgotten(): void {
    for (const [id, at] of forgetAt) {
      if (at > now()) return
      forgetAt.delete(id)
    }
  }

  return {
    has: (id) => forgetAt.has(id),
    add,
    async storeWithin(transaction, ids) {
      await transaction.executeQuery(CompiledQuery.raw(storeStatement, [ids, keptSeconds]))
    },
    async store(id) {
      await database.query(storeStatement, [[id], keptSeconds])
      add(id)
    },
    async reloadAll() {
      const rows = await database.query<{ id: string }>(
        'select id from identity_revocations where forget_at > now()',
      )
      for (const { id } of rows) add(id)
    },
    async forgetOld() {
      const forgotten = await database.query(
        'delete from identity_revocations where forget_at <= now() returning id',
      )
      return forgotten.length
    },
  }
}
