import { CompiledQuery } from 'kysely'
import type { Database } from '#kernel/database'
import type { ExecutionStats, StepStats } from '../execution/stats.ts'
import { bucketCount, bucketOf } from './duration-buckets.ts'
import { unitMs } from './period.ts'
import { type Ended, type Grain, grains, type RollUp, rollUps } from './roll-up.ts'

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

/** An end to be counted, or with -1 to be subtracted. */
interface CountedEnd {
  readonly sign: 1 | -1
  readonly facts: ExecutionStats
}

/** The values added to a row: its grain and time, its keys, the sums and the counts of durations. */
type SumRow = Readonly<Record<string, string | number | readonly number[] | null>>

interface Added {
  readonly sums: number[]
  readonly took: number[]
  /** The minimum and maximum duration; infinite without any. */
  minMs: number
  maxMs: number
}

/** Ends of one minute with the same keys. */
interface OfMinute extends Added {
  readonly at: number
  readonly keys: readonly string[]
  readonly together: readonly string[]
}

interface OfGrain extends Added {
  readonly grain: Grain
  readonly at: number
  readonly keys: readonly string[]
}

/** Sums up ends. First by minute, so that many cost little more than a few; then minutes are added to their hours and days. */
function addUp(rollUp: RollUp, ends: readonly CountedEnd[]): SumRow[] {
  const rows = new Map<string, OfGrain>()
  for (const part of addMinutes(rollUp, ends)) {
    for (const grain of grains) {
      const at = Math.floor(part.at / unitMs[grain]) * unitMs[grain]
      for (const keys of [part.keys, part.together]) {
        const name = [grain, at, ...keys].join(divider)
        const row = rows.get(name) ?? { grain, at, keys, ...nothing(rollUp) }
        rows.set(name, row)
        addNumbers(row.sums, part.sums)
        addNumbers(row.took, part.took)
        widen(row, part.minMs, part.maxMs)
      }
    }
  }
  return [...rows.values()].map((row) => writeRow(rollUp, row))
}

function addMinutes(rollUp: RollUp, ends: readonly CountedEnd[]): Iterable<OfMinute> {
  const parts = new Map<string, OfMinute>()
  const keysOf = Object.values(rollUp.keys)
  const othersOf = Object.values(rollUp.together)
  const sums = Object.entries(rollUp.sums).map(([name, sumOf]) => ({
    sumOf,
    isWhole: rollUp.fractions?.includes(name) !== true,
  }))

  function partOf(ended: Ended, at: number): OfMinute | undefined {
    let name = String(at)
    for (const keyOf of keysOf) {
      const key = keyOf(ended)
      if (key === undefined) return undefined
      name += divider + key
    }
    for (const keyOf of othersOf) name += divider + (keyOf(ended) ?? '')
    const known = parts.get(name)
    if (known !== undefined) return known
    const part = {
      at,
      keys: readKeys(rollUp.keys, ended),
      together: readKeys({ ...rollUp.keys, ...rollUp.together }, ended),
      ...nothing(rollUp),
    }
    parts.set(name, part)
    return part
  }

  function add(ended: Ended, at: number, sign: number): void {
    if (rollUp.where?.(ended) === false) return
    const part = partOf(ended, at)
    if (part === undefined) return
    sums.forEach(({ sumOf, isWhole }, index) => {
      const value = sumOf(ended)
      // Most sums are 0.
      if (value !== 0) raise(part.sums, index, sign * (isWhole ? Math.round(value) : value))
    })
    const ms = rollUp.took?.ms(ended)
    if (ms === undefined) return
    raise(part.took, bucketOf(ms), sign * (rollUp.took?.times(ended) ?? 0))
    if (sign > 0) widen(part, ms, ms)
  }

  for (const { sign, facts } of ends) {
    const at = Math.floor(Date.parse(facts.finished_at) / unitMs.minute) * unitMs.minute
    const steps = rollUp.from === 'steps' ? facts.steps : [noStep]
    for (const step of steps) add({ execution: facts, step }, at, sign)
  }
  return parts.values()
}

function readKeys(keys: RollUp['keys'], ended: Ended): string[] {
  return Object.values(keys).map((keyOf) => keyOf(ended) ?? '')
}

/** A separator that no key contains: PostgreSQL could not store it. */
const divider = '\0'

const noStep: StepStats = { id: '', type: '', state: 'skipped', count: 0 }

function nothing({ sums, took }: RollUp): Added {
  return {
    sums: Object.keys(sums).map(() => 0),
    took: took === undefined ? [] : Array.from({ length: bucketCount }, () => 0),
    minMs: Number.POSITIVE_INFINITY,
    maxMs: Number.NEGATIVE_INFINITY,
  }
}

function widen(added: Added, minMs: number, maxMs: number): void {
  added.minMs = Math.min(added.minMs, minMs)
  added.maxMs = Math.max(added.maxMs, maxMs)
}

function raise(numbers: number[], index: number, by: number): void {
  numbers[index] = (numbers[index] ?? 0) + by
}

function addNumbers(numbers: number[], more: readonly number[]): void {
  for (let index = 0; index < more.length; index += 1) raise(numbers, index, more[index] ?? 0)
}

function writeRow({ keys, sums, took }: RollUp, row: OfGrain): SumRow {
  return {
    grain: row.grain,
    at: new Date(row.at).toISOString(),
    ...Object.fromEntries(Object.keys(keys).map((key, index) => [key, row.keys[index] ?? ''])),
    ...Object.fromEntries(Object.keys(sums).map((sum, index) => [sum, row.sums[index] ?? 0])),
    ...(took !== undefined && {
      took: row.took,
      least_ms: finiteOrNull(row.minMs),
      most_ms: finiteOrNull(row.maxMs),
    }),
  }
}

function finiteOrNull(ms: number): number | null {
  return Number.isFinite(ms) ? ms : null
}
