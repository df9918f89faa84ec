import { CompiledQuery } from 'kysely'
import type { Database } from '#kernel/database'
import type { ExecutionFacts } from '../execution/stats.ts'
import { addUp, type CountedEnd } from './roll-sums.ts'
import { type RollUp, rollUps } from './roll-up.ts'

interface RollOptions {
  readonly signal?: AbortSignal | undefined
  /** After this long it stops with what is left, which the next one takes. */
  readonly maxMs?: number
}

/** Adds executions that ended to what is kept of them. */
export interface Roller {
  /** Takes everything that had ended when it was called. Answers how many it took. */
  roll(options?: RollOptions): Promise<number>
}

/** Few enough to hold nobody up while they are added, many enough to cost little each. */
const maxConcurrent = 500
const maxRollMs = 20_000

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
      const taken = await run<TakenRow>(takeStatement, [maxConcurrent])
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
    async roll({ signal, maxMs = maxRollMs } = {}) {
      if (!(await isAnythingWaiting())) return 0
      const until = performance.now() + maxMs
      let total = 0
      for (;;) {
        signal?.throwIfAborted()
        const taken = await takeSome()
        total += taken
        if (taken < maxConcurrent || performance.now() > until) return total
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

/**
 * Takes so many ends ($1) out of `engine_finished`, with their facts. In the same transaction they are added to everything that is kept: a
 * row counts once, or is still there.
 */
const takeStatement = `
  with taken as (
    delete from engine_finished
    where ctid = any (array(select ctid from engine_finished limit $1 for update skip locked))
    returning execution_id, sign, facts
  )
  -- Looked up one by one: for so many, a join would rather read all executions there are.
  select sign, coalesce(facts, (select execution.facts from engine_executions as execution where execution.id = execution_id)) as facts
  from taken
`

/** What is null is left out by `least` and `greatest`. */
const addDurations = `,
      took = engine_add_counts(known.took, excluded.took),
      least_ms = least(known.least_ms, excluded.least_ms),
      most_ms = greatest(known.most_ms, excluded.most_ms)`

/** Adds rows to the tables of the roll-ups, a parameter for each. */
const addStatement = `
  with ${rollUps.map((rollUp, index) => `added_${index} as (${addTo(rollUp, index + 1)})`).join(',')}
  select 1
`

function addTo({ table, keys, sums, fractions, took }: RollUp, parameter: number): string {
  const keyColumns = ['flow_id', 'grain', 'at', ...Object.keys(keys).filter((key) => key !== 'flow_id')]
  const sumColumns = Object.keys(sums)
  const columns = [
    ...keyColumns,
    ...sumColumns,
    ...(took === undefined ? [] : ['took', 'least_ms', 'most_ms']),
  ]
  const typeOf = (column: string) => {
    if (column === 'at') return 'timestamptz'
    if (column === 'account_id') return 'uuid'
    if (column === 'took') return 'integer[]'
    if (column === 'least_ms' || column === 'most_ms') return 'double precision'
    if (!sumColumns.includes(column)) return 'text'
    return fractions?.includes(column) === true ? 'double precision' : 'bigint'
  }
  return `
    insert into ${table} as known (${columns.join(', ')})
    select ${columns.join(', ')}
    from json_to_recordset($${parameter}::json) as it (${columns.map((column) => `${column} ${typeOf(column)}`).join(', ')})
    order by ${keyColumns.join(', ')}
    on conflict (${keyColumns.join(', ')}) do update set
      ${sumColumns.map((sum) => `${sum} = known.${sum} + excluded.${sum}`).join(', ')}
      ${took === undefined ? '' : addDurations}
  `
}
