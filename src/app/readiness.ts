import { createMigrationCheck, type Database, describeSkew, maxClockSkewMs } from '#kernel/database'
import type { ReadinessCheck } from '#kernel/http'
import type { Worker } from '#kernel/work'
import { migrationSets } from './migrations.ts'

/** The conditions under which this process can do its work, and gets requests: not once it is asked to stop. */
export function readinessOf(
  database: Database,
  worker: Worker | undefined,
  stopping: AbortSignal,
): readonly ReadinessCheck[] {
  const readMigrations = createMigrationCheck(database, migrationSets)
  const checks: ReadinessCheck[] = [
    {
      name: 'process',
      check: async () => {
        if (stopping.aborted) throw new Error('stopping')
      },
    },
    { name: 'database', check: () => database.ping() },
    {
      name: 'migrations',
      check: async () => {
        const { pending } = await readMigrations()
        if (pending.length > 0) throw new Error(`${pending.length} pending`)
      },
    },
  ]
  checks.push({
    name: 'clock',
    check: async () => {
      const skewMs = database.clock.skewMs()
      if (Math.abs(skewMs) >= maxClockSkewMs) throw new Error(describeSkew(skewMs))
    },
  })
  return worker === undefined ? checks : [...checks, { name: 'worker', check: () => worker.check() }]
}
