import { CompiledQuery } from 'kysely'
import type { Database } from '#kernel/database'
import type { EventTransaction } from '#kernel/events'
import { maxAccessTokenSeconds } from './lifetimes.ts'

/**
 * Access tokens are self-contained, so revoking one means storing its grant until the token would have expired. Every
 * replica keeps the whole list in memory: an hour of revocations, seldom more than a few hundred.
 */
export interface Revocations {
  has(id: string): boolean
  /** Stores revocations within a transaction. Call `add` after the commit, so that this process applies them at once. */
  storeWithin(transaction: EventTransaction, ids: readonly string[]): Promise<void>
  store(id: string): Promise<void>
  add(id: string): void
  reloadAll(): Promise<void>
  removeExpired(): Promise<number>
}

const storeStatement = `
  insert into identity_revocations (id, forget_at)
  select id, now() + $2 * interval '1 second' from unnest($1::text[]) as id
  on conflict (id) do update set forget_at = excluded.forget_at
`

const keepSeconds = maxAccessTokenSeconds + 300

export function createRevocations({
  database,
  now = Date.now,
}: {
  readonly database: Database
  readonly now?: () => number
}): Revocations {
  const forgetAt = new Map<string, number>()

  function add(id: string): void {
    dropExpired()
    forgetAt.delete(id)
    forgetAt.set(id, now() + keepSeconds * 1000)
  }

  /** The map is in insertion order, which is also the order of expiry, so the loop stops at the first valid entry. */
  function dropExpired(): void {
    for (const [id, at] of forgetAt) {
      if (at > now()) return
      forgetAt.delete(id)
    }
  }

  return {
    has: (id) => forgetAt.has(id),
    add,
    async storeWithin(transaction, ids) {
      await transaction.executeQuery(CompiledQuery.raw(storeStatement, [ids, keepSeconds]))
    },
    async store(id) {
      await database.query(storeStatement, [[id], keepSeconds])
      add(id)
    },
    async reloadAll() {
      const rows = await database.query<{ id: string }>(
        'select id from identity_revocations where forget_at > now()',
      )
      for (const { id } of rows) add(id)
    },
    async removeExpired() {
      const forgotten = await database.query(
        'delete from identity_revocations where forget_at <= now() returning id',
      )
      return forgotten.length
    },
  }
}
