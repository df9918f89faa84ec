import { type Database, migrationState } from '#kernel/database'
import type { ReadinessCheck } from '#kernel/http'
import type { Worker } from '#kernel/work'
import { migrationSets } from './migrations.ts'

/** What must hold for this process to do its work. */
export function readinessOf(database: Database, worker: Worker | undefined): readonly ReadinessCheck[] {
  const checks: ReadinessCheck[] = [
    { name: 'database', check: () => database.ping() },
    {
      name: 'migrations',
      check: async () => {
        const { pending } = await migrationState(database, migrationSets)
        if (pending.length > 0) throw new Error(`${pending.length} pending`)
      },
    },
  ]
  return worker === undefined ? checks : [...checks, { name: 'worker', check: () => worker.check() }]
}
