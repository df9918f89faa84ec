import type { Session } from '#kernel/database'
import type { PartitionKey } from './partition-keys.ts'

/** A table whose rows are in partitions by ranges of a growing key, and its key. */
export interface PartitionedTable {
  readonly name: string
  readonly key: PartitionKey
}

export interface Partition {
  readonly name: string
  /** Not included. */
  readonly end: number
}

const boundPattern = /^FOR VALUES FROM \(.*\) TO \('([^']+)'\)$/

/** The partitions with a range, oldest first. */
export async function readPartitions(
  session: Pick<Session, 'query'>,
  { name, key }: PartitionedTable,
): Promise<Partition[]> {
  const rows = await session.query<{ name: string; bound: string }>(
    `
      select child.relname as name, pg_get_expr(child.relpartbound, child.oid) as bound
      from pg_inherits join pg_class as child on child.oid = inhrelid
      where inhparent = $1::regclass
    `,
    [name],
  )
  return rows
    .flatMap((row) => {
      const end = boundPattern.exec(row.bound)?.[1]
      return end === undefined ? [] : [{ name: row.name, end: key.positionOf(end) }]
    })
    .toSorted((one, other) => one.end - other.end)
}

/** The partition for rows that are in no range. */
export function defaultPartitionOf({ name }: PartitionedTable): string {
  return `${name}_default`
}
