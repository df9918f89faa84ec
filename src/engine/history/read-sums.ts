import { bucketCount, type Durations } from './duration-buckets.ts'
import type { Segment } from './period.ts'
import type { RollUp } from './roll-up.ts'

/** The sums over rows of a roll-up. */
export type SumsOf<Kept extends RollUp> = Readonly<Record<keyof Kept['sums'] & string, number>> &
  (Kept extends { readonly took: object } ? { readonly took: Durations } : unknown)

/** Runs one statement, on the database or inside a transaction. */
export type RunQuery = <Row>(text: string, values: readonly unknown[]) => Promise<readonly Row[]>

/** All flows together, which have rows of their own; or these flows, whose rows are summed. */
export type Flows = 'all' | readonly string[]

export interface SumsQuery<Key extends string> {
  readonly segments: readonly Segment[]
  /** `each` is every flow separately, without the rows of all together. */
  readonly flows: Flows | 'each'
  readonly groupBy: readonly Key[]
  /** With `at` in `groupBy`: one row for so much time, from a multiple of it since the epoch, instead of one for each stored moment. */
  readonly bucketMs?: number
  /** Only rows in which a key has one of these values. */
  readonly only?: Readonly<Record<string, readonly string[]>>
  /** Only the first groups by this sum, descending; with `per` by the sum divided by another. */
  readonly largest?: { readonly by: string; readonly per?: string; readonly most: number }
  /** Further columns over the groups, such as `count(*) over ()`. */
  readonly beside?: Readonly<Record<string, string>>
}

type KeysOf<Key extends string> = { readonly [Name in Key]: Name extends 'at' ? Date : string }

/** Sums the rows of segments, grouped by keys of the roll-up or by `at`. */
export function readSums<Kept extends RollUp, Key extends (keyof Kept['keys'] & string) | 'at'>(
  run: RunQuery,
  rollUp: Kept,
  query: SumsQuery<Key>,
): Promise<readonly (SumsOf<Kept> & KeysOf<Key>)[]> {
  const columns = rollUp.took === undefined ? [] : [`${durations} as took`]
  return readColumns(run, rollUp, query, [
    ...Object.keys(rollUp.sums).map((sum) => sumOf(rollUp, sum)),
    ...columns,
  ])
}

/** Only these sums. Durations are most of a row and most of the work. */
export function readSome<
  Kept extends RollUp,
  Key extends (keyof Kept['keys'] & string) | 'at',
  Sum extends keyof Kept['sums'] & string,
>(
  run: RunQuery,
  rollUp: Kept,
  query: SumsQuery<Key> & { readonly sums: readonly Sum[] },
): Promise<readonly (Readonly<Record<Sum, number>> & KeysOf<Key>)[]> {
  return readColumns(
    run,
    rollUp,
    query,
    query.sums.map((sum) => sumOf(rollUp, sum)),
  )
}

function readColumns<Row>(
  run: RunQuery,
  { table }: RollUp,
  { segments, flows, groupBy, bucketMs, only = {}, largest, beside = {} }: SumsQuery<string>,
  sums: readonly string[],
): Promise<readonly Row[]> {
  const values: unknown[] = []
  const times = segments.map(({ grain, from, to }) => {
    const until = to === undefined ? '' : ` and at < $${values.push(to)}`
    return `(grain = '${grain}' and at >= $${values.push(from)}${until})`
  })
  const conditions = [
    `(${times.join(' or ')})`,
    flowCondition(flows, values),
    ...Object.entries(only).map(([key, some]) => `${key} = any ($${values.push(some)}::text[])`),
  ]
  const at = bucketMs === undefined ? 'at' : `date_bin('${bucketMs} milliseconds', at, 'epoch') as at`
  const columns = [
    ...groupBy.map((key) => (key === 'at' ? at : `${key}::text`)),
    ...sums,
    ...Object.entries(beside).map(([name, column]) => `${column} as ${name}`),
  ]
  return run(
    `
      select ${columns.join(', ')}
      from ${table}
      where ${conditions.join(' and ')}
      ${groupBy.length === 0 ? '' : `group by ${groupBy.map((_, index) => index + 1).join(', ')}`}
      ${largest === undefined ? '' : `order by ${rankOf(largest)}, ${groupBy.join(', ')} limit ${largest.most}`}
    `,
    values,
  )
}

function rankOf({ by, per }: { readonly by: string; readonly per?: string }): string {
  if (per === undefined) return `sum(${by}) desc`
  return `sum(${by}) / nullif(sum(${per}), 0) desc nulls last`
}

function sumOf({ fractions = [] }: RollUp, sum: string): string {
  const type = fractions.includes(sum) ? 'double precision' : 'bigint'
  return `coalesce(sum(${sum}), 0)::${type} as ${sum}`
}

function flowCondition(flows: Flows | 'each', values: unknown[]): string {
  if (flows === 'all') return `flow_id = '*'`
  if (flows === 'each') return `flow_id <> '*'`
  return `flow_id = any ($${values.push(flows)}::text[])`
}

const bucketSums = Array.from(
  { length: bucketCount },
  (_, bucket) => `coalesce(sum(took[${bucket + 1}]), 0)`,
).join(', ')

/** A row whose ends were all subtracted has sums of 0, but keeps the minimum and maximum duration. */
const durations = `json_build_object(
  'counts', array[${bucketSums}]::bigint[],
  'minMs', min(least_ms) filter (where completed > 0),
  'maxMs', max(most_ms) filter (where completed > 0)
)`
