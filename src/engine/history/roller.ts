import { CompiledQuery } from 'kysely'
import type { Database } from '#kernel/database'
import type { ExecutionFacts } from '../execution/facts.ts'
import { addStatement, takeStatement } from './roll-statement.ts'
import { addUp, type CountedEnd } from './roll-sums.ts'
import { rollUps } from './roll-up.ts'

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

/** Few enough to hold nobody up while they are added, many enough to cost little each. */
const mostAtOnce = 500
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
      const run = async <Row>(text: string, values: unknown[]) =>
        (await transaction.executeQuery<Row>(CompiledQuery.raw(text, values))).rows
      await run('select pg_advisory_xact_lock($1)', [rollLock])
      const taken = await run<TakenRow>(takeStatement, [mostAtOnce])
      const ends = taken.filter(hasFacts)
      if (ends.length > 0) {
        await run(
          addStatement,
          rollUps.map((rollUp) => JSON.stringify(addUp(rollUp, ends))),
        )
      }
      return taken.length
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

interface TakenRow {
  readonly sign: 1 | -1
  /** Null when the execution is gone. */
  readonly facts: ExecutionFacts | null
}

function hasFacts(row: TakenRow): row is CountedEnd {
  return row.facts !== null
}
