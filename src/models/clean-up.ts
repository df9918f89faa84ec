import type { Database } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import { settleLostReservations } from './budgets/lost-reservations.ts'
import { forgetOldSpend } from './budgets/spend-days.ts'
import { pruneCalls } from './usage/prune-calls.ts'

/** A recurring task: of all replicas, one at a time runs it. */
export interface ModelsTask {
  readonly name: string
  readonly everyMs: number
  readonly run: (signal: AbortSignal) => Promise<void>
}

export interface CleanUpOptions {
  readonly database: Database
  readonly log: Logger
  readonly callRetentionMs: number
}

/** Closes the books on calls whose process was lost, and keeps the tables small. */
export function createModelsTasks({ database, log, callRetentionMs }: CleanUpOptions): readonly ModelsTask[] {
  return [
    {
      name: 'models.lost-calls',
      everyMs: 60_000,
      async run() {
        const lost = await settleLostReservations(database)
        if (lost > 0)
          log.warn({ calls: lost }, 'calls of lost processes were counted with the most they can have cost')
      },
    },
    {
      name: 'models.clean-up',
      everyMs: 3_600_000,
      async run(signal) {
        const olderThan = new Date(Date.now() - callRetentionMs)
        const removed = {
          calls: await pruneCalls(database, { olderThan, signal }),
          days: await forgetOldSpend(database),
        }
        log.debug(removed, 'removed old calls of models')
      },
    },
  ]
}
