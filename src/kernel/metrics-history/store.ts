import type { Transaction } from 'kysely'
import type { Database, NoTables } from '#kernel/database'
import { runStatement } from '#kernel/work'
import {
  type Aggregate,
  aggregateOf,
  type BufferedMinute,
  bucketCount,
  type Grain,
  grains,
  mergeAggregate,
  retentionMs,
  type Segment,
  startOf,
} from './recording.ts'

/** The aggregate of one metric over a period. */
export interface MetricSums {
  readonly count: number
  readonly sum: number
  readonly max: number
  /** Counts per duration bucket; empty for other metrics. */
  readonly took: readonly number[]
}

/** The rows that all processes share. */
export interface MetricsHistoryStore {
  add(minutes: readonly BufferedMinute[], transaction?: Transaction<NoTables>): Promise<void>
  /** Totals by metric name. */
  sums(segments: readonly Segment[]): Promise<ReadonlyMap<string, MetricSums>>
  /** Values by the start of each minute, hour or day, and then by metric name. */
  points(segment: Segment, names: readonly string[]): Promise<ReadonlyMap<number, Points>>
  prune(now: number): Promise<void>
}

export type Points = ReadonlyMap<string, Omit<MetricSums, 'took'>>

/** Rows are sorted, so that concurrent processes lock them in the same order and cannot deadlock. */
const addStatement = `
  insert into kernel_vitals as known (grain, at, name, count, sum, max, took)
  select grain, at, name, count, sum, max, took::integer[]
  from unnest($1::text[], $2::timestamptz[], $3::text[], $4::bigint[], $5::float8[], $6::float8[], $7::text[])
    as added (grain, at, name, count, sum, max, took)
  on conflict (grain, at, name) do update
  set count = known.count + excluded.count,
    sum = known.sum + excluded.sum,
    max = greatest(known.max, excluded.max),
    took = kernel_vitals_add(known.took, excluded.took)
`

const bucketSums = Array.from(
  { length: bucketCount },
  (_, bucket) => `coalesce(sum(took[${bucket + 1}]), 0)`,
).join(', ')

const sumsStatement = (times: string) => `
  select name, sum(count)::bigint as count, sum(sum) as sum, max(max) as max
  from kernel_vitals
  where ${times}
  group by name
`

/** A separate statement, because few metrics are durations and adding their buckets takes longer than all the rest. */
const tookStatement = (times: string) => `
  select name, array[${bucketSums}]::bigint[] as took
  from kernel_vitals
  where (${times}) and took is not null
  group by name
`

/** Times as numbers, which the driver parses several times as fast. */
const pointsStatement = `
  select (extract(epoch from at) * 1000)::float8 as at, name, count, sum, max
  from kernel_vitals
  where grain = $1 and at >= $2 and at < $3 and name = any ($4::text[])
`

const pruneStatement = 'delete from kernel_vitals where grain = $1 and at < $2'

interface SumsRow extends Omit<MetricSums, 'took'> {
  readonly name: string
}

export function createMetricsHistoryStore(database: Database): MetricsHistoryStore {
  return {
    async add(minutes, transaction) {
      const rows = rowsOf(minutes)
      if (rows.length === 0) return
      await runStatement(transaction ?? database, addStatement, [
        rows.map(({ grain }) => grain),
        rows.map(({ at }) => new Date(at)),
        rows.map(({ name }) => name),
        rows.map(({ aggregate }) => aggregate.count),
        rows.map(({ aggregate }) => aggregate.sum),
        rows.map(({ aggregate }) => aggregate.max),
        rows.map(({ aggregate }) => (aggregate.took === undefined ? null : `{${aggregate.took.join(',')}}`)),
      ])
    },

    async sums(segments) {
      if (segments.length === 0) return new Map()
      // The text only depends on the number of segments, so that a connection prepares it once.
      const values = segments.flatMap(({ grain, from, to }) => [grain, new Date(from), new Date(to)])
      const when = segments
        .map((_, index) => [3 * index + 1, 3 * index + 2, 3 * index + 3])
        .map(([grain, from, to]) => `(grain = $${grain} and at >= $${from} and at < $${to})`)
        .join(' or ')
      const nameOf = (part: string) => `kernel_vitals_${part}_${segments.length}`
      const [rows, durations] = await Promise.all([
        database.query<SumsRow>(sumsStatement(when), values, nameOf('sums')),
        database.query<{ name: string; took: readonly number[] }>(
          tookStatement(when),
          values,
          nameOf('took'),
        ),
      ])
      const took = new Map(durations.map((row) => [row.name, row.took]))
      return new Map(rows.map(({ name, ...sums }) => [name, { ...sums, took: took.get(name) ?? [] }]))
    },

    async points({ grain, from, to }, names) {
      const rows = await database.query<SumsRow & { readonly at: number }>(
        pointsStatement,
        [grain, new Date(from), new Date(to), names],
        'kernel_vitals_points',
      )
      const byTime = Map.groupBy(rows, ({ at }) => at)
      return new Map(
        [...byTime].map(([at, named]) => [at, new Map(named.map(({ name, ...sums }) => [name, sums]))]),
      )
    },

    async prune(now) {
      for (const grain of grains)
        await database.query(pruneStatement, [grain, new Date(now - retentionMs[grain])])
    },
  }
}

interface Row {
  readonly grain: Grain
  readonly at: number
  readonly name: string
  readonly aggregate: Aggregate
}

/** The rows of the minutes, and of their hours and days. */
function rowsOf(minutes: readonly BufferedMinute[]): readonly Row[] {
  return grains
    .flatMap((grain) => {
      const byTime = Map.groupBy(minutes, ({ at }) => startOf(grain, at))
      return [...byTime].flatMap(([at, parts]) => {
        const aggregates = new Map<string, Aggregate>()
        for (const part of parts)
          for (const [name, aggregate] of part.aggregates)
            mergeAggregate(aggregateOf(aggregates, name), aggregate)
        return [...aggregates].map(([name, aggregate]) => ({ grain, at, name, aggregate }))
      })
    })
    .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
}

function keyOf({ grain, at, name }: Row): string {
  return `${grain} ${at} ${name}`
}
