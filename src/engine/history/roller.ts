import { CompiledQuery } from 'kysely'
import type { Database } from '#kernel/database'
import { rollStatement } from './roll-statement.ts'

interface RollOptions {
  readonly signal?: AbortSignal | undefined
  /** After this long it stops with what is left, which the next one takes. */
  readonly mostMs?: number
}

/** Adds executions that ended to what is kept of them. */
export interface Roller {
  /** Takes everything that had ended when it was called. Answers how many it took. */
  roll(options?: RollOptions): Promise<number>
}

/** Few enough for a statement well below its time limit, many enough to cost little each. */
const mostAtOnce = 2000
const mostRollMs = 20_000

/** Any constant does, as long as every release uses the same one. */
export const rollLock = 7_488_413_006

/**
 * Rollers of several processes take turns. Whoever has waited for its turn sees all that the one before it added, so that what is
 * read after a roll is complete.
 */
export function createRoller({ database }: { readonly database: Database }): Roller {
  /** Planning to add up nothing is most of the work on a quiet day. What others are just adding up is still seen here, and waited for. */
  async function isAnythingWaiting(): Promise<boolean> {
    const [row] = await database.query<{ waiting: boolean }>(
      'select exists (select from engine_finished) as waiting',
    )
    return row?.waiting ?? false
  }

  async function takeSome(): Promise<number> {
    return database.transaction(async (transaction) => {
      await transaction.executeQuery(CompiledQuery.raw('select pg_advisory_xact_lock($1)', [rollLock]))
      const { rows } = await transaction.executeQuery<{ taken: number }>(
        CompiledQuery.raw(rollStatement, [mostAtOnce]),
      )
      return rows[0]?.taken ?? 0
    })
  }

  return {
    async roll({ signal, mostMs = mostRollMs } = {}) {
      if (!(await isAnythingWaiting())) return 0
      const until = performance.now() + mostMs
      let total = 0
      for (;;) {
        signal?.throwIfAborted()
        const taken = await takeSome()
        total += taken
        if (taken < mostAtOnce || performance.now() > until) return total
      }
    },
  }
}
