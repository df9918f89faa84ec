import { type Database } from '#kernel/database'
import { eventPartitions } from '#kernel/events'
import { createPartitionTask } from '#kernel/partitions'
import { createLogger } from '#kernel/telemetry'
import { createCallPartitions } from '../../src/models/maintenance-tasks.ts'

export const dayMs = 86_400_000
const quiet = createLogger({ level: 'silent', format: 'json' })

/** Runs the maintenance of partitions once. */
export async function maintain(
  database: Database,
  { table, days = 30 }: { readonly table: 'events' | 'calls'; readonly days?: number },
): Promise<void> {
  const retentionMs = days * dayMs
  const events = { table: eventPartitions, retentionMs: () => retentionMs }
  const calls = createCallPartitions({ callRetentionMs: retentionMs })
  const task = createPartitionTask({ database, log: quiet, tables: [table === 'events' ? events : calls] })
  await task.run(new AbortController().signal)
}

/** The partitions of a table by name, each with the number of its rows. */
export async function rowsByPartition(database: Database, table: string): Promise<Record<string, number>> {
  const partitions = await database.query<{ name: string }>(
    `select inhrelid::regclass::text as name from pg_inherits where inhparent = $1::regclass`,
    [table],
  )
  const rows: Record<string, number> = {}
  for (const { name } of partitions) {
    const [row] = await database.query<{ count: number }>(`select count(*) from ${name}`)
    rows[name] = row?.count ?? 0
  }
  return rows
}
