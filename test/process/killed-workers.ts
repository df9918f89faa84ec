import type { RunningProcess } from '../support/process.ts'
import type { TestDatabase } from '../support/test-database.ts'

/**
 * Moves the times of the workers back by a minute, as if it had passed since the kill: the others take over the rows of the killed
 * process at their next sweep. `work-workers.extended.test.ts` waits for the ten seconds without a heartbeat.
 */
export async function letWorkerTimeOut(database: TestDatabase, killed: RunningProcess): Promise<void> {
  await database.query(
    `
      update kernel_workers set
        started_at = started_at - interval '1 minute',
        heartbeat_at = heartbeat_at - case when name like $1 then interval '1 minute' else '0' end
    `,
    [`%:${killed.pid}`],
  )
}
