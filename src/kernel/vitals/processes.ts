import type { Database } from '#kernel/database'
import type { Sample } from './machine/sample.ts'

/** A sample of the machine, with what the process knows of itself. */
export interface ProcessSample extends Sample {
  /**
   * Callers that waited for a connection of this process's pool, as the median of the last ten looks: a burst of parallel queries is
   * over by the next look, the wait for a pool that is too small is not.
   */
  readonly databaseWaiting: number
}

/** A process that runs, with what it saw last. */
export interface ProcessVitals {
  readonly id: string
  readonly host: string
  readonly pid: number
  readonly startedAt: Date
  readonly seenAt: Date
  readonly sample: ProcessSample
}

/** The processes of all machines. */
export interface Processes {
  show(process: Omit<ProcessVitals, 'seenAt'>): Promise<void>
  /** Those that showed themselves lately, the oldest first. */
  list(): Promise<readonly ProcessVitals[]>
  leave(id: string): Promise<void>
  prune(): Promise<void>
}

/** So long a process may be silent: several times the pause between two samples. */
const silentSeconds = 30

const showStatement = `
  insert into kernel_vitals_processes (id, host, pid, started_at, seen_at, sample)
  values ($1, $2, $3, $4, now(), $5)
  on conflict (id) do update set seen_at = excluded.seen_at, sample = excluded.sample
`

const listStatement = `
  select id, host, pid, started_at as "startedAt", seen_at as "seenAt", sample
  from kernel_vitals_processes
  where seen_at > now() - interval '${silentSeconds} seconds'
  order by started_at, id
`

const pruneStatement = `
  delete from kernel_vitals_processes where seen_at < now() - interval '1 hour'
`

export function createProcesses(database: Database): Processes {
  return {
    async show({ id, host, pid, startedAt, sample }) {
      await database.query(showStatement, [id, host, pid, startedAt, JSON.stringify(sample)])
    },
    list: () => database.query<ProcessVitals>(listStatement),
    async leave(id) {
      await database.query('delete from kernel_vitals_processes where id = $1', [id])
    },
    async prune() {
      await database.query(pruneStatement)
    },
  }
}
