import type { Database } from '#kernel/database'
import type { Sample } from './machine-sample.ts'

/** A sample of the machine and of one process. */
export interface ProcessSample extends Sample {
  /**
   * Callers that wait for a connection of the process's pool, as the median of the last ten samples: a burst of parallel queries has ended
   * by the next sample, the wait for a pool that is too small has not.
   */
  readonly databaseWaiting: number
}

/** A running process with its latest sample. */
export interface ProcessMetrics {
  readonly id: string
  readonly host: string
  readonly pid: number
  readonly startedAt: Date
  readonly seenAt: Date
  readonly sample: ProcessSample
}

/** The running processes of all machines. */
export interface Processes {
  report(process: Omit<ProcessMetrics, 'seenAt'>, version: string): Promise<void>
  /** The processes that reported recently, oldest first. */
  list(): Promise<readonly ProcessMetrics[]>
  remove(id: string): Promise<void>
  prune(): Promise<void>
}

/** A process counts as running for this long after its last report: several times the interval of reports. */
const maxSilenceSeconds = 30

const reportStatement = `
  insert into kernel_vitals_processes (id, host, pid, started_at, seen_at, sample, version)
  values ($1, $2, $3, $4, now(), $5, $6)
  on conflict (id) do update set seen_at = excluded.seen_at, sample = excluded.sample
`

const listStatement = `
  select id, host, pid, started_at as "startedAt", seen_at as "seenAt", sample
  from kernel_vitals_processes
  where seen_at > now() - interval '${maxSilenceSeconds} seconds'
  order by started_at, id
`

const pruneStatement = `
  delete from kernel_vitals_processes where seen_at < now() - interval '1 hour'
`

export function createProcesses(database: Database): Processes {
  return {
    async report({ id, host, pid, startedAt, sample }, version) {
      await database.query(reportStatement, [id, host, pid, startedAt, JSON.stringify(sample), version])
    },
    list: () => database.query<ProcessMetrics>(listStatement),
    async remove(id) {
      await database.query('delete from kernel_vitals_processes where id = $1', [id])
    },
    async prune() {
      await database.query(pruneStatement)
    },
  }
}

/** A running process and the version of its program; null for releases that do not report it. */
export interface ProcessVersion {
  readonly host: string
  readonly pid: number
  readonly version: string | null
}

/**
 * The processes that reported in the last 30 seconds, oldest first. Also reads tables of older releases, which have no column for the
 * version. Throws `database_unavailable`.
 */
export async function listProcessVersions(database: Pick<Database, 'query'>): Promise<ProcessVersion[]> {
  const [table] = await database.query<{ exists: boolean }>(
    `select to_regclass('kernel_vitals_processes') is not null as exists`,
  )
  if (!table?.exists) return []
  return database.query<ProcessVersion>(`
    select host, pid, to_jsonb(process) ->> 'version' as version
    from kernel_vitals_processes process
    where seen_at > now() - interval '${maxSilenceSeconds} seconds'
    order by started_at, id
  `)
}
