import { CompiledQuery } from 'kysely'
import type { Database } from '#kernel/database'
import type { ExecutionStats } from '../execution/stats.ts'
import { addUp, type CountedEnd } from './roll-sums.ts'
import { type RollUp, rollUps } from './roll-up.ts'

interface RollOptions {
  readonly signal?: AbortSignal | undefined
  /** Stops after this time; the next run takes the rest. */
  readonly maxMs?: number
}

/** Rolls ended executions up into the tables of the history. */
export interface Roller {
  /** Rolls up all executions that had ended when it was called. Returns their number. */
  roll(options?: RollOptions): Promise<number>
}

/** Few enough to hold locks only briefly, many enough to make each cheap. */
const maxConcurrent = 500
const maxRollMs = 20_000

/** Any constant works, as long as every release uses the same one. */
export const rollLock = 7_488_413_006

/**
 * Rollers of several processes take turns. A roller that waited for its turn sees everything the previous one added, so a read after a
 * roll is complete.
 */
export function createRoller({ database }: { readonly database: Database }): Roller {
  /** Checks first: on a quiet day, planning the empty roll-up is most of the work. Rows that another process is rolling up are still visible here. */
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
  /** Null when the execution was deleted. */
  readonly facts: ExecutionStats | null
}

function hasFacts(row: TakenRow): row is CountedEnd {
  return row.facts !== null
}

/**
 * Takes $1 ends out of `engine_finished`, with their facts. The same transaction adds them to all roll-ups, so an end counts exactly
 * once.
 */
const takeStatement = `
  with taken as (
    delete from engine_finished
    where ctid = any (array(select ctid from engine_finished limit $1 for update skip locked))
    returning execution_id, sign, facts
  )
  -- Looked up one by one: for this many, a join would rather scan all executions.
  select sign, coalesce(facts, (select execution.facts from engine_executions as execution where execution.id = execution_id)) as facts
  from taken
`

/** `least` and `greatest` ignore nulls. */
const addDurations = `,
      took = engine_add_counts(known.took, excluded.took),
      least_ms = least(known.least_ms, excluded.least_ms),
      most_ms = greatest(known.most_ms, excluded.most_ms)`

/** Adds rows to the roll-up tables, one parameter for each table. */
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
