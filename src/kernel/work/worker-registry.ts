import type { Database } from '#kernel/database'

export interface WorkerRow {
  readonly id: string
  readonly name: string
  readonly role: string
  readonly queues: readonly string[]
  /** What the handlers of its queues can do; null: it is of a release without features. */
  readonly features: readonly string[] | null
  readonly startedAt: Date
  /** Time of the last heartbeat. */
  readonly heartbeatAt: Date
  /** False when its heartbeat is too old: its rows will be handed over. */
  readonly alive: boolean
}

export async function registerWorker(
  database: Pick<Database, 'query'>,
  { id, name, role, queues, features }: Pick<WorkerRow, 'id' | 'name' | 'role' | 'queues' | 'features'>,
): Promise<void> {
  await database.query(
    'insert into kernel_workers (id, name, role, queues, features) values ($1, $2, $3, $4, $5)',
    [id, name, role, queues, features],
  )
}

/** For a heartbeat that has no connection of its own. */
export async function renewHeartbeat(database: Pick<Database, 'query'>, id: string): Promise<void> {
  await database.query('update kernel_workers set heartbeat_at = now() where id = $1', [id])
}

/** Whether the worker has a recent heartbeat. */
export async function isAlive(
  database: Pick<Database, 'query'>,
  id: string,
  deadAfterMs: number,
): Promise<boolean> {
  const rows = await database.query(
    `select 1 from kernel_workers where id = $1 and heartbeat_at > now() - $2 * interval '1 millisecond'`,
    [id, deadAfterMs],
  )
  return rows.length > 0
}

/** The workers of all processes. */
export interface WorkerDirectory {
  /** Oldest first. */
  list(): Promise<WorkerRow[]>
}

/** Creates the directory of all workers. `list` throws `database_unavailable`. */
export function createWorkerDirectory(database: Pick<Database, 'query'>): WorkerDirectory {
  return {
    list: () =>
      database.query<WorkerRow>(
        `
          select id, name, role, queues, features, started_at as "startedAt", heartbeat_at as "heartbeatAt",
            heartbeat_at > now() - $1 * interval '1 millisecond' as alive
          from kernel_workers
          order by started_at, id
        `,
        [defaultTiming.deadAfterMs],
      ),
  }
}

/** Intervals and timeouts of workers, by the clock of the database. */
export interface WorkerTiming {
  readonly heartbeatMs: number
  /** A worker without a heartbeat for this long is dead. */
  readonly deadAfterMs: number
  /** A main loop that hangs for this long gets no more heartbeats. */
  readonly hungAfterMs: number
  /** Interval at which queues are polled, claims are checked and dead workers are swept. */
  readonly pollMs: number
}

export const defaultTiming: WorkerTiming = {
  heartbeatMs: 2000,
  deadAfterMs: 10_000,
  hungAfterMs: 30_000,
  pollMs: 1000,
}
